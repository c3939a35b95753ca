/* saxpy: parallel loop (arrays do not overlap) */
extern "C" __global__ void saxpy_3(int n, float a, const float *__restrict__ x,
                                   float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

/* saxpy: parallel loop */
extern "C" __global__ void saxpy_3_plain(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

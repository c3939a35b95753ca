/* matmul: parallel loop */
extern "C" __global__ void matmul_7(int n, const float *__restrict__ a, const float *__restrict__ b,
                                    float *__restrict__ c)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
    }
}

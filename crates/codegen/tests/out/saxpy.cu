/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 saxpy_3
/* saxpy: parallel loop (arrays do not overlap) */
extern "C" __global__ void saxpy_3(int n, float a, const float *__restrict__ x,
                                   float *__restrict__ y)
{
    accl_await_last_kernel();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

//accl:variant 1 saxpy_3_plain
/* saxpy: parallel loop */
extern "C" __global__ void saxpy_3_plain(int n, float a, const float *x, float *y)
{
    accl_await_last_kernel();

    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

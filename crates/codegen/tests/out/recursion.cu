/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

static __device__ int odd(int n);

static __device__ int even_(int n)
{
    if (n == 0)
        return 1;
    return odd(n - 1);
}

static __device__ int odd(int n)
{
    if (n == 0)
        return 0;
    return even_(n - 1);
}

//accl:variant 0 host_3
/* host: parallel loop */
extern "C" __global__ void host_3(int *x)
{
    accl_await_last_kernel();

    x[0] = odd(7);
}

struct point {
    double x;
    double y;
};

/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 move_4
/* move: parallel loop */
extern "C" __global__ void move_4(int n, double *v, point *p)
{
    accl_await_last_kernel();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += v[3 * i];
        p[i].y += p[i].x;
        v[3 * i + 1] = p[i].y;
        v[3 * i + 2] = v[3 * i];
    }
}

//accl:variant 0 move_11
/* move: parallel loop */
extern "C" __global__ void move_11(int n, point *p, double *v)
{
    accl_await_last_kernel();

    int i_2 = blockIdx.x * blockDim.x + threadIdx.x;
    if (i_2 < n) {
        point *q = p + i_2;
        q->x += 1.0;
        v[i_2] = p[i_2].x;
    }
}

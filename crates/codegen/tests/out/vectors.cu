/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 vectors_3_v4
/* vectors: parallel loop (arrays do not overlap, arrays aligned to 16 bytes, 32-bit subscripts) */
extern "C" __global__ void vectors_3_v4(int n, const float *__restrict__ x, float *__restrict__ y,
                                        double *__restrict__ z)
{
    accl_await_last_kernel();

    int i = (blockIdx.x * 128 + threadIdx.x) * 4;
    __align__(16) float a[4];
    __align__(16) float b[4];
    __align__(16) double c[2];
    if (i + 3 < n) {
        *(float4 *)a = *(const float4 *)&x[i];
        *(float4 *)b = *(const float4 *)&y[i];
        #pragma unroll
        for (int u = 0; u < 4; u++)
            b[u] = 2.0f * a[u] + b[u];
        *(float4 *)&y[i] = *(float4 *)b;
        *(double2 *)c = *(const double2 *)&z[0];
        c[0] = c[1];
        *(double2 *)&z[0] = *(double2 *)c;
    } else {
        for (int t = i; t < n; t++)
            y[t] = 2.0f * x[t] + y[t];
    }
}

//accl:variant 1 vectors_3
/* vectors: parallel loop */
extern "C" __global__ void vectors_3(int n, const float *x, float *y, double *z)
{
    __shared__ __align__(16) float tile[32][33];
    accl_await_last_kernel();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = x[i];
    __syncthreads();
    y[i] = tile[threadIdx.x][threadIdx.y];
}

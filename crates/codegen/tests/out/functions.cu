struct Point {
    float x;
    float y;
};

struct __align__(16) Body {
    Point at;
    bool alive;
    double global[3];
    double *next;
    char accl_pad_0[16];
};

/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

static __device__ float half_(float x)
{
    return x * 0.5f;
}

static __device__ float norm_(Point p)
{
    return sqrtf(p.x * p.x + p.y * p.y) + half_(p.x);
}

static __device__ double sum_of(const double *v, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static __device__ void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

//accl:variant 0 host_9
/* host: parallel loop */
extern "C" __global__ void host_9(int kernel, Point origin, Body *bodies, const double *signed_,
                                  int *float4_, float (*matrix)[16], double *scalar)
{
    accl_await_last_kernel();

    int threadIdx_ = blockIdx.x * blockDim.x + threadIdx.x;
    double private_[4];
    int first;
    int second;
    if (threadIdx_ < kernel) {
        bodies[threadIdx_].at.x += norm_(bodies[threadIdx_].at) + norm_(origin);
        bodies[threadIdx_].alive = kernel;
        bodies[threadIdx_].global[1] = sum_of(signed_, 10) + sum_of(private_, 4) + sum_of(&bodies[0].global[0], 3);
        first = float4_[0];
        second = float4_[1];
        swap(&first, &second);
        swap(&float4_[0], float4_ + 1);
        float4_[2] = first + second + 10;
        matrix[3][threadIdx_] = matrix[2][threadIdx_] * 2.0f;
        *scalar = 3.0;
        Point *p = &bodies[0].at;
        p->y = origin.y;
        bodies[1].at = origin;
    }
}

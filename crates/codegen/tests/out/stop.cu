#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
#ifdef __CUDACC_RTC__
#define accl_stop(text, file, line, function) __assertfail(text, file, line, function, 1)
#else
#include <cassert>
#define accl_stop(text, file, line, function) __assert_fail(text, file, line, function)
#endif

struct Pair {
    int a;
    int b;
};

/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

static __device__ int checked(const int *x, int i)
{
    if (i < 0) {
        accl_stop("i >= 0", "", 0, "checked");
    }
    return x[i];
}

static __device__ Pair pair(const int *x)
{
    Pair p;
    p.a = checked(x, 3);
    if (p.a) {
        accl_stop("abort()", "", 0, "pair");
    }
    p.b = 0;
    return p;
}

static __device__ void test(int n)
{
    if (n > 3) {
        printf("%d%% \"of\" %g\n", n, 2.5);
    } else {
        accl_stop("abort()", "", 0, "test");
    }
}

//accl:variant 0 host_3
/* host: parallel loop */
extern "C" __global__ void host_3(int *x)
{
    accl_await_last_kernel();

    Pair p;
    p = pair((const int *)x);
    if (p.a)
        test(p.a);
    printf("%ld\n", 3L);
    x[0] = p.b;
}

//accl:variant 0 host_8
/* host: parallel loop */
extern "C" __global__ void host_8(int *x)
{
    accl_await_last_kernel();

    if (x[0]) {
        accl_stop("x[0] == \"none\"", "", 0, "host");
    }
    test(3);
    __syncthreads();
    x[threadIdx.x] = 2;
}

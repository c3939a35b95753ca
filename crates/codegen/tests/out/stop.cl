#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct Pair {
    int a;
    int b;
} Pair;

static int checked(__global const int *x, int i, __global int *accl_stopped)
{
    if (i < 0) {
        if (atomic_xchg(accl_stopped, 1) == 0)
            printf(":0: checked: Assertion `i >= 0' failed.\n");
        return 0;
    }
    return x[i];
}

static Pair pair(__global const int *x, __global int *accl_stopped)
{
    Pair p;
    p.a = checked(x, 3, accl_stopped);
    if (*accl_stopped)
        return (Pair){0};
    if (p.a) {
        if (atomic_xchg(accl_stopped, 1) == 0)
            printf(":0: pair: abort() was called.\n");
        return (Pair){0};
    }
    p.b = 0;
    return p;
}

static void test(int n, __global int *accl_stopped)
{
    if (n > 3) {
        printf("%d%% \"of\" %g\n", n, 2.5);
    } else {
        if (atomic_xchg(accl_stopped, 1) == 0)
            printf(":0: test: abort() was called.\n");
        return;
    }
}

/* host: parallel loop */
__kernel void host_3(__global int *x_buf, long x_off, __global int *accl_stopped)
{
    __global int *x = (__global int *)((__global char *)x_buf + x_off);

    Pair p;
    p = pair((__global const int *)x, accl_stopped);
    if (*accl_stopped)
        return;
    if (p.a) {
        test(p.a, accl_stopped);
        if (*accl_stopped)
            return;
    }
    printf("%ld\n", 3L);
    x[0] = p.b;
}

/* host: parallel loop */
__kernel void host_8(__global int *x_buf, long x_off, __global int *accl_stopped)
{
    __global int *x = (__global int *)((__global char *)x_buf + x_off);

    if (x[0]) {
        if (atomic_xchg(accl_stopped, 1) == 0)
            printf(":0: host: Assertion `x[0] == \"none\"' failed.\n");
    }
    test(3, accl_stopped);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    x[get_local_id(0)] = 2;
}

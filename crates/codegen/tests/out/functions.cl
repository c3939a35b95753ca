#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct Point {
    float x;
    float y;
} Point;

typedef struct __attribute__((aligned(16))) Body {
    Point at;
    uchar alive;
    double global_[3];
    ulong next;
    char accl_pad_0[16];
} Body;

static float half_(float x)
{
    return x * 0.5f;
}

static float norm(Point p)
{
    return sqrt(p.x * p.x + p.y * p.y) + half_(p.x);
}

static double sum_of(__global const double *v, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static double sum_of_p(const double *v, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

static void swap(__global int *a, __global int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void swap_pp(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

/* host: parallel loop */
__kernel void host_9(int kernel_, Point origin, __global Body *bodies_buf, long bodies_off,
                     __global const double *signed_buf, long signed_off, __global int *float4_buf,
                     long float4_off, __global float (*matrix_buf)[16], long matrix_off,
                     __global double *scalar_buf, long scalar_off)
{
    __global Body *bodies = (__global Body *)((__global char *)bodies_buf + bodies_off);
    __global const double *signed_ = (__global const double *)((__global const char *)signed_buf + signed_off);
    __global int *float4_ = (__global int *)((__global char *)float4_buf + float4_off);
    __global float (*matrix)[16] = (__global float (*)[16])((__global char *)matrix_buf + matrix_off);
    __global double *scalar = (__global double *)((__global char *)scalar_buf + scalar_off);

    int threadIdx = get_global_id(0);
    double private_[4];
    int first;
    int second;
    if (threadIdx < kernel_) {
        bodies[threadIdx].at.x += norm(bodies[threadIdx].at) + norm(origin);
        bodies[threadIdx].alive = (bool)kernel_;
        bodies[threadIdx].global_[1] = sum_of(signed_, 10) + sum_of_p(private_, 4) + sum_of(&bodies[0].global_[0], 3);
        first = float4_[0];
        second = float4_[1];
        swap_pp(&first, &second);
        swap(&float4_[0], float4_ + 1);
        float4_[2] = first + second + 10;
        matrix[3][threadIdx] = matrix[2][threadIdx] * 2.0f;
        *scalar = 3.0;
        __global Point *p = &bodies[0].at;
        p->y = origin.y;
        bodies[1].at = origin;
    }
}

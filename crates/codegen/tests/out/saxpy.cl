/* saxpy: parallel loop (arrays do not overlap) */
__kernel void saxpy_3(int n, float a, __global const float *restrict x_buf, long x_off,
                      __global float *restrict y_buf, long y_off)
{
    __global const float *x = (__global const float *)((__global const char *)x_buf + x_off);
    __global float *y = (__global float *)((__global char *)y_buf + y_off);

    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

/* saxpy: parallel loop */
__kernel void saxpy_3_plain(int n, float a, __global const float *x_buf, long x_off,
                            __global float *y_buf, long y_off)
{
    __global const float *x = (__global const float *)((__global const char *)x_buf + x_off);
    __global float *y = (__global float *)((__global char *)y_buf + y_off);

    int i = get_group_id(0) * 128 + get_local_id(0);
    if (i < n)
        y[i] += a * x[i];
}

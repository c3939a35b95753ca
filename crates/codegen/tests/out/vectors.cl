#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* vectors: parallel loop (arrays do not overlap, arrays aligned to 16 bytes, 32-bit subscripts) */
__kernel void vectors_3_v4(int n, __global const float *restrict x_buf, long x_off,
                           __global float *restrict y_buf, long y_off,
                           __global double *restrict z_buf, long z_off)
{
    __global const float *x = (__global const float *)((__global const char *)x_buf + x_off);
    __global float *y = (__global float *)((__global char *)y_buf + y_off);
    __global double *z = (__global double *)((__global char *)z_buf + z_off);

    int i = (get_group_id(0) * 128 + get_local_id(0)) * 4;
    __attribute__((aligned(16))) float a[4];
    __attribute__((aligned(16))) float b[4];
    __attribute__((aligned(16))) double c[2];
    if (i + 3 < n) {
        *(float4 *)a = *(__global const float4 *)&x[i];
        *(float4 *)b = *(__global const float4 *)&y[i];
        #pragma unroll
        for (int u = 0; u < 4; u++)
            b[u] = 2.0f * a[u] + b[u];
        *(__global float4 *)&y[i] = *(float4 *)b;
        *(double2 *)c = *(__global const double2 *)&z[0];
        c[0] = c[1];
        *(__global double2 *)&z[0] = *(double2 *)c;
    } else {
        for (int t = i; t < n; t++)
            y[t] = 2.0f * x[t] + y[t];
    }
}

/* vectors: parallel loop */
__kernel void vectors_3(int n, __global const float *x_buf, long x_off, __global float *y_buf,
                        long y_off, __global double *z_buf, long z_off)
{
    __local float tile[32][33];
    __global const float *x = (__global const float *)((__global const char *)x_buf + x_off);
    __global float *y = (__global float *)((__global char *)y_buf + y_off);

    int i = get_global_id(0);
    tile[get_local_id(1)][get_local_id(0)] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    y[i] = tile[get_local_id(0)][get_local_id(1)];
}

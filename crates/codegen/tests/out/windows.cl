#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* smooth: parallel loop */
__kernel void smooth_kernel(int n, int r, __global const float *restrict a_buf, long a_off,
                            __global double *restrict b_buf, long b_off, long a_first, long a_end,
                            long b_first, long b_end, __local uint4 *accl_areas)
{
    __local float *const a_window = (__local float *)accl_areas;
    __local double *const b_window = (__local double *)(accl_areas + ((r + 2 * r + 64) * 4 + 15) / 16);
    __global const float *restrict a = (__global const float *)((__global const char *)a_buf + a_off);
    __global double *restrict b = (__global double *)((__global char *)b_buf + b_off);

    int i_base = get_group_id(0) * 64;
    int i = i_base + get_local_id(0);
    int active = i < n;
    int a_begin = i_base - r;
    int b_begin = i_base;
    for (int w = get_local_id(0); w < r + 2 * r + 64; w += 64)
        a_window[w] = (ulong)(a_begin + w - a_first) < a_end - a_first ? a[a_begin + w] : 0.0f;
    int wrote = 0;
    for (int w_2 = get_local_id(0); w_2 < r + 64; w_2 += 64)
        b_window[w_2] = (ulong)(b_begin + w_2 - b_first) < b_end - b_first ? b[b_begin + w_2] : 0.0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (active) {
        b_window[i - b_begin] += a_window[i - r - a_begin];
        wrote = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (active && wrote)
        b[i] = b_window[i - b_begin];
}

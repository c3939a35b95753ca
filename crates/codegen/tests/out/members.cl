#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct point {
    double x;
    double y;
} point;

/* move: parallel loop */
__kernel void move_4(int n, __global double *v_buf, long v_off, __global point *p_buf, long p_off)
{
    __global double *v = (__global double *)((__global char *)v_buf + v_off);
    __global point *p = (__global point *)((__global char *)p_buf + p_off);

    int i = get_global_id(0);
    if (i < n) {
        p[i].x += v[3 * i];
        p[i].y += p[i].x;
        v[3 * i + 1] = p[i].y;
        v[3 * i + 2] = v[3 * i];
    }
}

/* move: parallel loop */
__kernel void move_11(int n, __global point *p_buf, long p_off, __global double *v_buf, long v_off)
{
    __global point *p = (__global point *)((__global char *)p_buf + p_off);
    __global double *v = (__global double *)((__global char *)v_buf + v_off);

    int i_2 = get_global_id(0);
    if (i_2 < n) {
        __global point *q = p + i_2;
        q->x += 1.0;
        v[i_2] = p[i_2].x;
    }
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* conversions: parallel loop */
__kernel void conversions_3(int n, uchar flag, __global char *c_buf, long c_off,
                            __global uchar *uc_buf, long uc_off, __global int *a_buf, long a_off,
                            __global uint *u_buf, long u_off, __global long *l_buf, long l_off,
                            __global ulong *ul_buf, long ul_off, __global float *f_buf, long f_off,
                            __global double *d_buf, long d_off, __global uchar *b_buf, long b_off)
{
    __global char *c = (__global char *)((__global char *)c_buf + c_off);
    __global uchar *uc = (__global uchar *)((__global char *)uc_buf + uc_off);
    __global int *a = (__global int *)((__global char *)a_buf + a_off);
    __global uint *u = (__global uint *)((__global char *)u_buf + u_off);
    __global long *l = (__global long *)((__global char *)l_buf + l_off);
    __global ulong *ul = (__global ulong *)((__global char *)ul_buf + ul_off);
    __global float *f = (__global float *)((__global char *)f_buf + f_off);
    __global double *d = (__global double *)((__global char *)d_buf + d_off);
    __global bool *b = (__global bool *)((__global char *)b_buf + b_off);

    int i = get_global_id(0);
    long k = get_group_id(0) * get_local_size(0) + get_local_id(0);
    a[0] = c[0] + c[1];
    c[0] += c[1];
    c[1]++;
    uc[0] <<= 1;
    uc[1] = (uchar)(uc[1] * 2) / 3;
    d[0] = a[0] / 2.0;
    d[1] = a[0] / a[1];
    d[2] = (double)a[0] / a[1];
    d[3] = f[0] * d[1];
    f[0] *= 0.5;
    f[1] *= 0.5f;
    f[2] = (float)d[2] + f[1];
    f[3] = a[0] * f[0];
    l[0] = (long)a[0] * a[1];
    l[1] = (int)((uint)a[0] * a[1]);
    l[2] = (long)a[0] * 8;
    l[3] = l[0] + 1;
    l[4] = u[0];
    l[5] = (long)(int)l[4] + (uint)l[3];
    ul[0] = a[0] + ul[1];
    ul[1] = (ulong)u[0] << 32;
    a[2] = u[0];
    a[3] = u[0] / a[1];
    a[4] = (int)u[0] / a[1];
    a[5] = (int)f[0] + 1;
    a[6] = d[0];
    a[7] = -a[6] - -5 - (a[5] - a[4]);
    a[8] = (int)((uint)a[7] * (a[6] + a[5])) % 7;
    a[9] = b[0] + (a[1] < a[2]);
    b[0] = a[0] != 0;
    b[1] = a[1];
    b[2] = !b[1] && flag;
    u[1] = u[2] * 2 + 4294967295u;
    u[2] = ~u[1] >> 3 & 255;
    a[i] = a[(long)i - 1];
    a[get_local_id(0)] = a[get_local_id(0) * 4 + 1] + a[(int)(i - get_local_id(0))];
    if (((int)get_local_id(0) < n && get_local_id(0) < 16) || flag) {
        a[10] = (-2147483647 - 1);
        l[6] = (-9223372036854775807L - 1);
        l[7] = 5000000000L;
        ul[2] = 18446744073709551615UL;
    }
    if (f[0] > 0.1f && f[0] < 0.1) {
        f[4] = INFINITY;
        d[4] = -INFINITY;
        d[5] = NAN;
    }
    a[11] = flag ? a[0] : a[1] > a[2] ? 1 : 2;
    d[6] = flag ? (double)a[0] : f[0];
    a[12] = (int)l[0] + a[0];
    a[12] += (int)((uint)a[13] * 2);
    f[5] -= f[6] - 1.0f;
    k++;
    l[k] += k;
    a[14] = get_local_id(0) / 32 + get_local_id(0) % 32;
    a[15] = (int)(a[14] - get_local_id(0)) / 2;
    d[7] = get_local_id(0) * 0.5;
    d[8] = (int)(i - get_local_id(0)) * 0.5;
    a[16] = (a[0] & 3) == 1 ? a[1] << (int)l[0] : a[2] | ((a[3] & a[4]) ^ a[5]);
    a[17] = (a[0] == 1) & (a[1] == 2);
}

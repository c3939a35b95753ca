#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* math: parallel loop */
__kernel void math_3(int n, __global float *restrict f_buf, long f_off,
                     __global double *restrict d_buf, long d_off, __global int *restrict a_buf,
                     long a_off, __global long *restrict l_buf, long l_off)
{
    __global float *f = (__global float *)((__global char *)f_buf + f_off);
    __global double *d = (__global double *)((__global char *)d_buf + d_off);
    __global int *a = (__global int *)((__global char *)a_buf + a_off);
    __global long *l = (__global long *)((__global char *)l_buf + l_off);

    f[0] = sqrt(f[0]) + rsqrt(f[1]) + cbrt(f[2]) + exp(f[3]) + exp2(f[4]) + exp10(f[5]) + expm1(f[6]);
    d[0] = sqrt(d[0]) + rsqrt(d[1]) + cbrt(d[2]) + exp(d[3]) + exp2(d[4]) + exp10(d[5]) + expm1(d[6]);
    f[1] = log(f[0]) + log2(f[1]) + log10(f[2]) + log1p(f[3]) + pow(f[4], f[5]) + sin(f[6]) + cos(f[7]) + tan(f[8]);
    d[1] = log(d[0]) + log2(d[1]) + log10(d[2]) + log1p(d[3]) + pow(d[4], (double)a[0]) + sin(d[6]) + cos((double)f[7]) + tan(d[8]);
    f[2] = asin(f[0]) + acos(f[1]) + atan(f[2]) + atan2(f[3], f[4]) + sinh(f[5]) + cosh(f[6]) + tanh(f[7]) + asinh(f[8]) + acosh(f[9]) + atanh(f[10]);
    d[2] = asin(d[0]) + acos(d[1]) + atan(d[2]) + atan2(d[3], d[4]) + sinh(d[5]) + cosh(d[6]) + tanh(d[7]) + asinh(d[8]) + acosh(d[9]) + atanh(d[10]);
    f[3] = erf(f[0]) + erfc(f[1]) + tgamma(f[2]) + lgamma(f[3]) + floor(f[4]) + ceil(f[5]) + trunc(f[6]) + round(f[7]) + rint(f[8]) + rint(f[9]) + fabs(f[10]);
    d[3] = erf(d[0]) + erfc(d[1]) + tgamma(d[2]) + lgamma(d[3]) + floor(d[4]) + ceil(d[5]) + trunc(d[6]) + round(d[7]) + rint(d[8]) + rint(d[9]) + fabs(d[10]);
    f[4] = fmod(f[0], f[1]) + remainder(f[2], f[3]) + fmin(f[4], f[5]) + fmax(f[6], 0.0f) + fdim(f[7], f[8]) + fma(f[0], f[1], f[2]) + hypot(f[3], f[4]) + copysign(f[5], f[6]) + ldexp(f[7], a[0]);
    d[4] = fmod(d[0], d[1]) + remainder(d[2], d[3]) + fmin(d[4], d[5]) + fmax(d[6], 0.0) + fdim(d[7], d[8]) + fma(d[0], d[1], d[2]) + hypot(d[3], d[4]) + copysign(d[5], d[6]) + ldexp(d[7], a[0]);
    a[0] = isnan(f[0]) + isinf(d[0]) + isfinite(f[1]) + signbit(d[1]);
    if (isnan(d[0]) || !isinf(f[1]))
        l[0] = (long)round(d[0]) + (long)rint(f[0]);
    a[1] = abs(a[2]) + min(a[3], a[4]) * max(a[5], 7);
    l[1] = abs(l[2]) + min(l[3], l[4]) * max(l[5], (long)a[0]);
    a[2] = -(int)abs(a[3] - 4);
    d[5] = pow(2.0, 2.0);
}

/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 math_3
/* math: parallel loop */
extern "C" __global__ void math_3(int n, float *__restrict__ f, double *__restrict__ d,
                                  int *__restrict__ a, long *__restrict__ l)
{
    accl_await_last_kernel();

    f[0] = sqrtf(f[0]) + rsqrtf(f[1]) + cbrtf(f[2]) + expf(f[3]) + exp2f(f[4]) + exp10f(f[5]) + expm1f(f[6]);
    d[0] = sqrt(d[0]) + rsqrt(d[1]) + cbrt(d[2]) + exp(d[3]) + exp2(d[4]) + exp10(d[5]) + expm1(d[6]);
    f[1] = logf(f[0]) + log2f(f[1]) + log10f(f[2]) + log1pf(f[3]) + powf(f[4], f[5]) + sinf(f[6]) + cosf(f[7]) + tanf(f[8]);
    d[1] = log(d[0]) + log2(d[1]) + log10(d[2]) + log1p(d[3]) + pow(d[4], (double)a[0]) + sin(d[6]) + cos((double)f[7]) + tan(d[8]);
    f[2] = asinf(f[0]) + acosf(f[1]) + atanf(f[2]) + atan2f(f[3], f[4]) + sinhf(f[5]) + coshf(f[6]) + tanhf(f[7]) + asinhf(f[8]) + acoshf(f[9]) + atanhf(f[10]);
    d[2] = asin(d[0]) + acos(d[1]) + atan(d[2]) + atan2(d[3], d[4]) + sinh(d[5]) + cosh(d[6]) + tanh(d[7]) + asinh(d[8]) + acosh(d[9]) + atanh(d[10]);
    f[3] = erff(f[0]) + erfcf(f[1]) + tgammaf(f[2]) + lgammaf(f[3]) + floorf(f[4]) + ceilf(f[5]) + truncf(f[6]) + roundf(f[7]) + rintf(f[8]) + nearbyintf(f[9]) + fabsf(f[10]);
    d[3] = erf(d[0]) + erfc(d[1]) + tgamma(d[2]) + lgamma(d[3]) + floor(d[4]) + ceil(d[5]) + trunc(d[6]) + round(d[7]) + rint(d[8]) + nearbyint(d[9]) + fabs(d[10]);
    f[4] = fmodf(f[0], f[1]) + remainderf(f[2], f[3]) + fminf(f[4], f[5]) + fmaxf(f[6], 0.0f) + fdimf(f[7], f[8]) + fmaf(f[0], f[1], f[2]) + hypotf(f[3], f[4]) + copysignf(f[5], f[6]) + ldexpf(f[7], a[0]);
    d[4] = fmod(d[0], d[1]) + remainder(d[2], d[3]) + fmin(d[4], d[5]) + fmax(d[6], 0.0) + fdim(d[7], d[8]) + fma(d[0], d[1], d[2]) + hypot(d[3], d[4]) + copysign(d[5], d[6]) + ldexp(d[7], a[0]);
    a[0] = isnan(f[0]) + isinf(d[0]) + isfinite(f[1]) + signbit(d[1]);
    if (isnan(d[0]) || !isinf(f[1]))
        l[0] = lround(d[0]) + lrintf(f[0]);
    a[1] = abs(a[2]) + min(a[3], a[4]) * max(a[5], 7);
    l[1] = labs(l[2]) + min(l[3], l[4]) * max(l[5], (long)a[0]);
    a[2] = -abs(a[3] - 4);
    d[5] = pow(2.0, 2.0);
}

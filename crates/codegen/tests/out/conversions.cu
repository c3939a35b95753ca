#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif

/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 conversions_3
/* conversions: parallel loop */
extern "C" __global__ void conversions_3(int n, bool flag, char *c, unsigned char *uc, int *a,
                                         unsigned *u, long *l, unsigned long *ul, float *f,
                                         double *d, bool *b)
{
    accl_await_last_kernel();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long k = (long)blockIdx.x * blockDim.x + threadIdx.x;
    a[0] = c[0] + c[1];
    c[0] += c[1];
    c[1]++;
    uc[0] <<= 1;
    uc[1] = (unsigned char)(uc[1] * 2) / 3;
    d[0] = a[0] / 2.0;
    d[1] = a[0] / a[1];
    d[2] = (double)a[0] / a[1];
    d[3] = f[0] * d[1];
    f[0] *= 0.5;
    f[1] *= 0.5f;
    f[2] = (float)d[2] + f[1];
    f[3] = a[0] * f[0];
    l[0] = (long)a[0] * a[1];
    l[1] = (int)((unsigned)a[0] * a[1]);
    l[2] = (long)a[0] * 8;
    l[3] = l[0] + 1;
    l[4] = u[0];
    l[5] = (long)(int)l[4] + (unsigned)l[3];
    ul[0] = a[0] + ul[1];
    ul[1] = (unsigned long)u[0] << 32;
    a[2] = u[0];
    a[3] = u[0] / a[1];
    a[4] = (int)u[0] / a[1];
    a[5] = (int)f[0] + 1;
    a[6] = d[0];
    a[7] = -a[6] - -5 - (a[5] - a[4]);
    a[8] = (int)((unsigned)a[7] * (a[6] + a[5])) % 7;
    a[9] = b[0] + (a[1] < a[2]);
    b[0] = a[0] != 0;
    b[1] = a[1];
    b[2] = !b[1] && flag;
    u[1] = u[2] * 2 + 4294967295u;
    u[2] = ~u[1] >> 3 & 255;
    a[i] = a[(long)i - 1];
    a[threadIdx.x] = a[threadIdx.x * 4 + 1] + a[(int)(i - threadIdx.x)];
    if (((int)threadIdx.x < n && threadIdx.x < 16) || flag) {
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
    a[12] += (int)((unsigned)a[13] * 2);
    f[5] -= f[6] - 1.0f;
    k++;
    l[k] += k;
    a[14] = threadIdx.x / 32 + threadIdx.x % 32;
    a[15] = (int)(a[14] - threadIdx.x) / 2;
    d[7] = threadIdx.x * 0.5;
    d[8] = (int)(i - threadIdx.x) * 0.5;
    a[16] = (a[0] & 3) == 1 ? a[1] << (int)l[0] : a[2] | ((a[3] & a[4]) ^ a[5]);
    a[17] = (a[0] == 1) & (a[1] == 2);
}

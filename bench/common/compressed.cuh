/* Compressed arrays by hand, as paper 000 has them: x / 2M + 1.5 lies in [1, 2), and the leading bits of its mantissa
 * are kept, 16 of a float, 32 of a double. Programs are compiled with -DCOMPRESSED for this form. */
#ifndef BENCH_COMPRESSED_CUH
#define BENCH_COMPRESSED_CUH

#include <math.h>
#include <stdint.h>
#include <string.h>

struct bench_keys {
    double scale, bias, inverse;
};

static inline bench_keys bench_range(double m)
{
    bench_keys keys = {2.0 * m, -3.0 * m, 1.0 / (2.0 * m)};
    return keys;
}

static __host__ __device__ inline unsigned short bench_encode(float x, float inverse)
{
    float t = fminf(fmaxf(fmaf(x, inverse, 1.5f), 1.0f), 1.9999999f);
    unsigned bits;
    memcpy(&bits, &t, sizeof bits);
    return (unsigned short)(bits >> 7);
}

static __host__ __device__ inline float bench_decode(unsigned short raw, float scale, float bias)
{
    unsigned bits = (unsigned)raw << 7 | 0x3f800040u;
    float t;
    memcpy(&t, &bits, sizeof t);
    return fmaf(t, scale, bias);
}

static __host__ __device__ inline unsigned bench_encode(double x, double inverse)
{
    double t = fmin(fmax(fma(x, inverse, 1.5), 1.0), 1.9999999999999998);
    unsigned long long bits;
    memcpy(&bits, &t, sizeof bits);
    return (unsigned)(bits >> 20);
}

static __host__ __device__ inline double bench_decode(unsigned raw, double scale, double bias)
{
    unsigned long long bits = (unsigned long long)raw << 20 | 0x3ff0000000080000ull;
    double t;
    memcpy(&t, &bits, sizeof t);
    return fma(t, scale, bias);
}

/* The device's form of a type. */
template <typename T>
struct bench_raw;
template <>
struct bench_raw<float> {
    typedef unsigned short type;
};
template <>
struct bench_raw<double> {
    typedef unsigned type;
};

/* A device copy, encoded; without values if `from` is null. */
template <typename T>
static typename bench_raw<T>::type *bench_device_encoded(const T *from, size_t n, bench_keys keys)
{
    typedef typename bench_raw<T>::type raw;
    raw *host = from ? (raw *)bench_alloc(n, sizeof(raw)) : NULL;
    for (size_t i = 0; from && i < n; i++)
        host[i] = bench_encode(from[i], (T)keys.inverse);
    raw *device = bench_device<raw>(host, n);
    free(host);
    return device;
}

template <typename T>
static void bench_fetch_encoded(T *to, typename bench_raw<T>::type *from, size_t n, bench_keys keys)
{
    typedef typename bench_raw<T>::type raw;
    raw *host = (raw *)bench_alloc(n, sizeof(raw));
    bench_fetch(host, from, n);
    for (size_t i = 0; i < n; i++)
        to[i] = bench_decode(host[i], (T)keys.scale, (T)keys.bias);
    free(host);
}

#endif

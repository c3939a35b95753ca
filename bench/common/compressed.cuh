/* Compressed arrays by hand, as paper 000 has them: x / 2M + 1.5 lies in [1, 2), and the leading bits of its mantissa
 * are kept, 16 of a float, 32 of a double, or any other width packed into words. Programs are compiled with -DCOMPRESSED for
 * this form. With -DBLOCK groups of 32 share an exponent. */
#ifndef BENCH_COMPRESSED_CUH
#define BENCH_COMPRESSED_CUH

#include <math.h>
#include <stdint.h>
#include <string.h>

struct bench_keys {
    double scale, bias, inverse, offset;
};

static inline bench_keys bench_range(double m)
{
    bench_keys keys = {2.0 * m, -3.0 * m, 1.0 / (2.0 * m), 1.5};
    return keys;
}

/* Over [min, max]. */
static inline bench_keys bench_extent(double min, double max)
{
    double extent = max - min;
    bench_keys keys = {extent, min - extent, 1.0 / extent, 1.0 - min / extent};
    return keys;
}

static __host__ __device__ inline unsigned short bench_encode(float x, float inverse, float offset = 1.5f)
{
    float t = fminf(fmaxf(fmaf(x, inverse, offset), 1.0f), 1.9999999f);
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

static __host__ __device__ inline unsigned bench_encode(double x, double inverse, double offset = 1.5)
{
    double t = fmin(fmax(fma(x, inverse, offset), 1.0), 1.9999999999999998);
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
        host[i] = bench_encode(from[i], (T)keys.inverse, (T)keys.offset);
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

/* Packed without padding: 32 elements of WIDTH bits, a multiple of 4, fill WIDTH words. */
template <int WIDTH>
struct bench_group {
    alignas(16) unsigned words[WIDTH];

    __host__ __device__ unsigned get(int k) const
    {
        int at = k * WIDTH / 32, within = k * WIDTH % 32;
        unsigned raw = words[at] >> within;
        if (within + WIDTH > 32)
            raw |= words[at + 1] << (32 - within);
        return raw & (0xffffffffu >> (32 - WIDTH));
    }
    /* Into words that are 0 there. */
    __host__ __device__ void put(int k, unsigned raw)
    {
        int at = k * WIDTH / 32, within = k * WIDTH % 32;
        words[at] |= raw << within;
        if (within + WIDTH > 32)
            words[at + 1] |= raw >> (32 - within);
    }
    __device__ void load(const unsigned *from)
    {
#pragma unroll
        for (int w = 0; w < WIDTH; w += 4)
            *(uint4 *)&words[w] = *(const uint4 *)&from[w];
    }
    __device__ void store(unsigned *to) const
    {
#pragma unroll
        for (int w = 0; w < WIDTH; w += 4)
            *(uint4 *)&to[w] = *(const uint4 *)&words[w];
    }
};

template <int WIDTH>
static __host__ __device__ inline unsigned bench_narrow(float x, float inverse)
{
    float t = fminf(fmaxf(fmaf(x, inverse, 1.5f), 1.0f), 1.9999999f);
    unsigned bits;
    memcpy(&bits, &t, sizeof bits);
    return (bits & 0x7fffff) >> (23 - WIDTH);
}

template <int WIDTH>
static __host__ __device__ inline float bench_widen(unsigned raw, float scale, float bias)
{
    unsigned bits = raw << (23 - WIDTH) | 0x3f800000u | 1u << (22 - WIDTH);
    float t;
    memcpy(&t, &bits, sizeof t);
    return fmaf(t, scale, bias);
}

template <int WIDTH>
static __host__ __device__ inline unsigned bench_narrow(double x, double inverse)
{
    double t = fmin(fmax(fma(x, inverse, 1.5), 1.0), 1.9999999999999998);
    unsigned long long bits;
    memcpy(&bits, &t, sizeof bits);
    return (unsigned)((bits & 0xfffffffffffffull) >> (52 - WIDTH));
}

template <int WIDTH>
static __host__ __device__ inline double bench_widen(unsigned raw, double scale, double bias)
{
    unsigned long long bits = (unsigned long long)raw << (52 - WIDTH) | 0x3ff0000000000000ull | 1ull << (51 - WIDTH);
    double t;
    memcpy(&t, &bits, sizeof t);
    return fma(t, scale, bias);
}

/* Words of whole groups. */
template <int WIDTH>
static size_t bench_words(size_t n)
{
    return (n + 31) / 32 * WIDTH;
}

/* A packed device copy; zeros behind the last element. */
template <int WIDTH, typename T>
static unsigned *bench_device_packed(const T *from, size_t n, bench_keys keys)
{
    bench_group<WIDTH> *host = (bench_group<WIDTH> *)bench_alloc(bench_words<WIDTH>(n), sizeof(unsigned));
    for (size_t i = 0; i < n; i++)
        host[i / 32].put(i % 32, bench_narrow<WIDTH>(from[i], (T)keys.inverse));
    unsigned *device = bench_device(host->words, bench_words<WIDTH>(n));
    free(host);
    return device;
}

template <int WIDTH, typename T>
static void bench_fetch_packed(T *to, unsigned *from, size_t n, bench_keys keys)
{
    bench_group<WIDTH> *host = (bench_group<WIDTH> *)bench_alloc(bench_words<WIDTH>(n), sizeof(unsigned));
    bench_fetch(host->words, from, bench_words<WIDTH>(n));
    for (size_t i = 0; i < n; i++)
        to[i] = bench_widen<WIDTH>(host[i / 32].get(i % 32), (T)keys.scale, (T)keys.bias);
    free(host);
}

/* Block floating point of a float in 16 bits: 2^e, the exponent of the group's largest magnitude, times a number in
 * (-2, 2) of whole steps of 2^-14. A group is 32 elements; exponents lie in an array of their own. */
static __host__ __device__ inline float bench_power(unsigned exponent)
{
    unsigned bits = exponent << 23;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static __host__ __device__ inline unsigned bench_exponent(float largest)
{
    unsigned bits;
    memcpy(&bits, &largest, sizeof bits);
    bits >>= 23;
    return bits < 1 ? 1 : bits > 254 ? 254 : bits;
}

static __host__ __device__ inline unsigned bench_steps(float x, unsigned exponent)
{
    float steps = rintf(x * bench_power(255 - exponent) * 8192.0f);
    return (unsigned)(int)fminf(fmaxf(steps, -32767.0f), 32767.0f) & 0xffff;
}

static __host__ __device__ inline float bench_of_steps(unsigned raw, unsigned exponent)
{
    return (float)(short)raw * 0.00006103515625f * bench_power(exponent);
}

static void bench_encode_block(const float *from, size_t n, unsigned short *to, unsigned char *exponents)
{
    for (size_t group = 0; group < n; group += 32) {
        float largest = 0;
        for (size_t i = group; i < n && i < group + 32; i++)
            largest = fmaxf(largest, fabsf(from[i]));
        unsigned exponent = exponents[group / 32] = bench_exponent(largest);
        for (size_t i = group; i < n && i < group + 32; i++)
            to[i] = bench_steps(from[i], exponent);
    }
}

#endif

/* What compressed arrays with a range make of values, to the bit, whatever device and form they are held in. */
#ifndef ROUNDED_H
#define ROUNDED_H

#include "check.h"
#include <string.h>

/* What an element of so many bits is stored as: `affine` over [min, max], else over [-max, max]. */
static inline float rounded_float(float x, int bits, int affine, double min, double max)
{
    float scale = (float)(affine ? max - min : 2 * max), bias = (float)(affine ? min - (max - min) : -3 * max);
    double inverse = affine ? 1 / (max - min) : 1 / (2 * max);
    float offset = (float)(affine ? 1 - min * inverse : 1.5);
    float t = fmaf(x == x ? x : 0, (float)inverse, offset);
    unsigned most = 0x3fffffff, raw;
    t = fmaxf(t, 1);
    raw = t < 2 ? (memcpy(&raw, &t, 4), raw) : most;
    raw = raw >> (23 - bits) << (23 - bits) | (1u << (23 - bits)) >> 1;
    memcpy(&t, &raw, 4);
    return fmaf(t, scale, bias);
}

static inline double rounded_double(double x, int bits, int affine, double min, double max)
{
    double scale = affine ? max - min : 2 * max, bias = affine ? min - (max - min) : -3 * max;
    double inverse = affine ? 1 / (max - min) : 1 / (2 * max);
    double offset = affine ? 1 - min * inverse : 1.5;
    double t = fma(x == x ? x : 0, inverse, offset);
    unsigned long long most = 0x3fffffffffffffff, raw;
    t = fmax(t, 1);
    raw = t < 2 ? (memcpy(&raw, &t, 8), raw) : most;
    raw = raw >> (52 - bits) << (52 - bits) | (1ull << (52 - bits)) >> 1;
    memcpy(&t, &raw, 8);
    return fma(t, scale, bias);
}

/* Half precision, or the upper half of a float. */
static inline float rounded_floating(float x, int bfloat)
{
    float scaled;
    unsigned bits, magnitude;
    memcpy(&bits, &x, 4);
    magnitude = bits & 0x7fffffff;
    if (bfloat) {
        bits = magnitude > 0x7f800000 ? 0x7fc00000 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16 << 16;
        memcpy(&x, &bits, 4);
        return x;
    }
    if (magnitude > 0x7f800000)
        return NAN;
    if (magnitude >= 0x477ff000)
        return x > 0 ? INFINITY : -INFINITY;
    /* Ten bits behind the leading one; below 2^-14 multiples of 2^-24. */
    int e;
    frexpf(x, &e);
    scaled = ldexpf(1, (e < -13 ? -13 : e) - 11);
    return rintf(x / scaled) * scaled;
}

static inline void count_differences(const char *what, int n, const void *got, const void *want, int size)
{
    for (int i = 0; i < n; i++) {
        if (memcmp((const char *)got + i * size, (const char *)want + i * size, size) != 0) {
            check_true(what, 0);
            printf("    at %d\n", i);
            return;
        }
    }
}

#endif

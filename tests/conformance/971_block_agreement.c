// scheme(block): host and device encode and decode to the same bits, of random data of many scales, denormals, zeros,
// infinities, and what is no number.
// flags: --no-check
// expect: launches=50 uploads=90 downloads=135
// expect-stderr: warning: 165 values of f_back are infinite or no numbers: they are held as the largest number, or as 0
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20011 };

static float f[N], f_back[N], f_device[N], f_plain[N];
static double d[N], d_back[N], d_device[N], d_plain[N];

static unsigned long long state = 88172645463325252ull;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void fill(double scale, int decades)
{
    for (int i = 0; i < N; i++) {
        double x = (2 * uniform() - 1) * scale * pow(10, decades * (uniform() - 0.5));
        f[i] = (float)x;
        d[i] = x;
    }
    for (int i = 640; i < 700; i++)
        f[i] = d[i] = 0;
    double ends[] = {INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MAX, FLT_MAX, FLT_MIN, 1e-40, DBL_MIN, 1e-320, -0.0};
    for (int i = 0; i < 11; i++) {
        f[1000 + 32 * i + i] = (float)ends[i];
        d[1000 + 32 * i + i] = ends[i];
    }
    /* Groups of nothing else. */
    for (int i = 0; i < 11 * 32; i++) {
        f[3200 + i] = (float)ends[i / 32];
        d[3200 + i] = ends[i / 32];
    }
}

static int same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

#define COMPARE(NAME, BITS)                                                                                           \
    static void NAME(void)                                                                                            \
    {                                                                                                                 \
        int n = N;                                                                                                    \
        memcpy(f_back, f, sizeof f);                                                                                  \
        memcpy(d_back, d, sizeof d);                                                                                  \
        /* back: encoded and decoded by the host; plain: encoded by the host, decoded by the device. */               \
        PRAGMA(acc data ccopy(scheme(block), bits(BITS): f_back[0:n], d_back[0:n]))                                   \
        {                                                                                                             \
            PRAGMA(acc parallel loop compression(f_back, d_back) copyout(f_plain[0:n], d_plain[0:n]))                 \
            for (int i = 0; i < n; i++) {                                                                             \
                f_plain[i] = f_back[i];                                                                               \
                d_plain[i] = d_back[i];                                                                               \
            }                                                                                                         \
        }                                                                                                             \
        /* device: encoded by the device, decoded by the host. */                                                     \
        PRAGMA(acc parallel loop copyin(f[0:n], d[0:n]) ccopyout(scheme(block), bits(BITS): f_device[0:n], d_device[0:n])) \
        for (int i = 0; i < n; i++) {                                                                                 \
            f_device[i] = f[i];                                                                                       \
            d_device[i] = d[i];                                                                                       \
        }                                                                                                             \
        check_true("floats: the device decodes as the host, " #BITS, same(f_back, f_plain, sizeof f));                \
        check_true("doubles: the device decodes as the host, " #BITS, same(d_back, d_plain, sizeof d));               \
        check_true("floats: the device encodes as the host, " #BITS, same(f_back, f_device, sizeof f));               \
        check_true("doubles: the device encodes as the host, " #BITS, same(d_back, d_device, sizeof d));              \
    }

COMPARE(compare8, 8)
COMPARE(compare12, 12)
COMPARE(compare16, 16)
COMPARE(compare23, 23)

static void compare_wide(void)
{
    int n = N;
    memcpy(d_back, d, sizeof d);
#pragma acc data ccopy(scheme(block), bits(45): d_back[0:n])
    {
#pragma acc parallel loop compression(d_back) copyout(d_plain[0:n])
        for (int i = 0; i < n; i++)
            d_plain[i] = d_back[i];
    }
#pragma acc parallel loop copyin(d[0:n]) ccopyout(scheme(block), bits(45): d_device[0:n])
    for (int i = 0; i < n; i++)
        d_device[i] = d[i];
    check_true("doubles: the device decodes as the host, 45", same(d_back, d_plain, sizeof d));
    check_true("doubles: the device encodes as the host, 45", same(d_back, d_device, sizeof d));
}

static void compare(double scale, int decades)
{
    fill(scale, decades);
    compare8();
    compare12();
    compare16();
    compare23();
    compare_wide();
}

int main(void)
{
    compare(1, 0);
    compare(1000.3, 2);
    compare(1, 12);
    compare(1e30, 5);
    compare(1e-36, 6);
    check_true("the largest number stands for infinity", isfinite(f_device[3200]) && f_device[3200] > 1e38);
    check_true("what is no number is 0", d_device[3200 + 64] == 0);
    return finish();
}

// Host and device encode and decode to the same bits: random data of many scales, at the range's ends, past them.
// flags: --no-check
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000 };

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

static void fill(double scale)
{
    for (int i = 0; i < N; i++) {
        double x = (2 * uniform() - 1) * scale;
        if (i % 5 == 0)
            x *= ldexp(1, -(int)(60 * uniform()));
        f[i] = (float)x;
        d[i] = x;
    }
    double ends[] = {scale, -scale, 2 * scale, -3 * scale, 0, scale * (1 - 1e-7), INFINITY, -INFINITY, NAN, DBL_MIN, 1e-320};
    for (int i = 0; i < 11; i++) {
        f[100 + 7 * i] = (float)ends[i];
        d[100 + 7 * i] = ends[i];
    }
}

static int same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static void compare(double scale)
{
    int n = N;
    float m = (float)scale;
    fill(scale);
    memcpy(f_back, f, sizeof f);
    memcpy(d_back, d, sizeof d);
    /* back: encoded and decoded by the host. */
#pragma acc data ccopy(f_back[0:n:-m:m], d_back[0:n:-m:m])
    {
        /* plain: encoded by the host, decoded by the device. */
#pragma acc parallel loop compression(f_back, d_back) copyout(f_plain[0:n], d_plain[0:n])
        for (int i = 0; i < n; i++) {
            f_plain[i] = f_back[i];
            d_plain[i] = d_back[i];
        }
    }
    /* device: encoded by the device, decoded by the host. */
#pragma acc parallel loop copyin(f[0:n], d[0:n]) ccopyout(f_device[0:n:-m:m], d_device[0:n:-m:m])
    for (int i = 0; i < n; i++) {
        f_device[i] = f[i];
        d_device[i] = d[i];
    }
    check_true("floats: the device decodes as the host", same(f_back, f_plain, sizeof f));
    check_true("doubles: the device decodes as the host", same(d_back, d_plain, sizeof d));
    check_true("floats: the device encodes as the host", same(f_back, f_device, sizeof f));
    check_true("doubles: the device encodes as the host", same(d_back, d_device, sizeof d));
    for (int i = 0; i < n; i++) {
        double x = isnan(d[i]) ? 0 : fmin(fmax(d[i], -m), m);
        check_near("float", i, f_back[i] / m, x / m, 1.0 / 65536 + 6e-7);
        check_near("double", i, d_back[i] / m, x / m, 1.0 / 4294967296.0 + 1e-15);
    }
}

int main(void)
{
    compare(1);
    compare(1000.3);
    compare(3e-5);
    compare(1e30);
    compare(1e-30);
    return finish();
}

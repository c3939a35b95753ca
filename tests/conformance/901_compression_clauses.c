// Compressed arrays: every clause, by its long and its short name, with and without a range.
// expect: launches=8 uploads=9 downloads=6
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { N = 5000 };

static float a[N], b[N], c[N], d[N], e[N], f[N], g[N], h[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = sinf((float)i);
        b[i] = 2.0f * cosf((float)i);
        c[i] = d[i] = e[i] = f[i] = g[i] = h[i] = 0.5f;
    }
}

/* An element is off by at most half of 2^-16 of the range's extent. */
static int near(float x, float y, float range)
{
    return fabsf(x - y) <= 2.0f * range / 131072.0f * 1.1f;
}

int main(void)
{
    int n = N;
    fill();
#pragma acc data ccopyin(a[0:n], b[0:n:-2:2]) ccopyout(c[0:n:-4:4]) ccopy(d[0:n:-4:4]) ccreate(e[0:n:-4:4])
    {
#pragma acc parallel loop compression(a, b, c)
        for (int i = 0; i < n; i++)
            c[i] = a[i] + b[i];
#pragma acc parallel loop compression(a[0:n], d, e)
        for (int i = 0; i < n; i++)
            e[i] = d[i] + a[i];
#pragma acc parallel loop compression(d, e)
        for (int i = 0; i < n; i++)
            d[i] = e[i];
    }
    for (int i = 0; i < n; i++) {
        check_true("near(c[i], a[i] + b[i], 12.0f)", near(c[i], a[i] + b[i], 12.0f));
        check_true("near(d[i], 0.5f + a[i], 12.0f)", near(d[i], 0.5f + a[i], 12.0f));
    }
    check_true("e[0] == 0.5f", e[0] == 0.5f);

#pragma acc data present_or_compression_copyin(a[0:n]) compression_create(e[0:n:-1:1])
    {
#pragma acc parallel loop compression(a, e)
        for (int i = 0; i < n; i++)
            e[i] = a[i] * a[i];
#pragma acc parallel loop compression(e) present_or_compression_copyout(f[0:n:-1:1])
        for (int i = 0; i < n; i++)
            f[i] = e[i];
    }
    for (int i = 0; i < n; i++)
        check_true("near(f[i], a[i] * a[i], 5.0f)", near(f[i], a[i] * a[i], 5.0f));

    /* On the construct itself; the array is compressed there without another word. */
#pragma acc parallel loop compression_copyin(a[0:n]) pccopy(g[0:n:-2:2])
    for (int i = 0; i < n; i++)
        g[i] += a[i];
    for (int i = 0; i < n; i++)
        check_true("near(g[i], 0.5f + a[i], 6.0f)", near(g[i], 0.5f + a[i], 6.0f));

#pragma acc enter data pccopyin(h[0:n:-3:3]) compression_copyin(b[0:n])
#pragma acc parallel loop compression(b, h)
    for (int i = 0; i < n; i++)
        h[i] -= b[i];
#pragma acc exit data compression_copyout(h[0:n]) delete(b[0:n])
    for (int i = 0; i < n; i++)
        check_true("near(h[i], 0.5f - b[i], 6.0f)", near(h[i], 0.5f - b[i], 6.0f));

    /* A compound assignment reads and writes. */
#pragma acc parallel loop ccopy(bits(20): c[0:n:-16:16])
    for (int i = 0; i < n; i++)
        c[i] *= 2.0f;
    for (int i = 0; i < n; i++)
        check_true("near(c[i], 2.0f * (a[i] + b[i]), 24.0f)", near(c[i], 2.0f * (a[i] + b[i]), 24.0f));
    return finish();
}

// Bounds that the host computes from values it knows: halves, remainders, bits, the smaller of two. No clause says which parts
// of the arrays are used. Loops that run never, odd and negative lengths; bounds that only the device knows, or that would
// divide by zero on the host, are left to the device.
// expect: launches=27 fallbacks=0
#include "check.h"
#include <string.h>

#define N 4099

static double a[N], b[N], ok[N];
static float f[N], g[N];
struct shape {
    int n, m;
};

static void start(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = ok[i] = i % 13 - 6;
        b[i] = i % 17;
        f[i] = i % 5;
        g[i] = i % 7;
    }
}

static void compare(const char *what)
{
    for (int i = 0; i < N; i++)
        check_near(what, i, a[i], ok[i], 0);
}

static void halves(int n, double *restrict x, const double *restrict y)
{
#pragma acc parallel loop
    for (int i = 0; i < n / 2; i++)
        x[i] = y[i] + x[i + n / 2];
}

// Reads the upper half of the array whose lower half it writes: no iteration depends on another.
static void folded(int n, double *x)
{
#pragma acc kernels
    for (int i = 0; i < n / 2; i++)
        x[i] += x[i + n / 2];
}

static void downwards(long n, double *restrict x, const double *restrict y)
{
#pragma acc parallel loop
    for (long i = n / 3 - 1; i >= 0; i--)
        x[i] = 2 * y[i];
}

static void smaller(int n, int m, float *restrict x, const float *restrict y)
{
#pragma acc parallel loop
    for (int i = 0; i < (n < m ? n : m); i++)
        x[i] = y[i] + 1;
}

static void bits(unsigned n, double *restrict x, const double *restrict y)
{
#pragma acc parallel loop
    for (unsigned i = n % 8; i < (n & ~3u); i++)
        x[i] = y[i] - 1;
}

static void nest(int n, double *restrict x, const double *restrict y)
{
#pragma acc parallel loop gang
    for (int i = 0; i < n % 32; i++)
#pragma acc loop vector
        for (int j = 0; j < n >> 6; j++)
            x[i * (n >> 6) + j] = y[j] * i;
}

static void member(const struct shape *s, double *restrict x, const double *restrict y)
{
#pragma acc parallel loop
    for (int i = 0; i < s->n / 4; i++)
        x[i] = y[i] * s->m;
}

// The length of a row follows from the row, by way of a variable of the loop.
static void rows(int n, double *restrict x, const double *restrict y)
{
#pragma acc parallel loop gang copy(x[:N]) copyin(y[:N])
    for (int i = 0; i < n; i++) {
        int twice = i;
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < twice / 2; j++)
            sum += y[j];
        x[i] = sum;
    }
}

// The host must not divide by m: the program does not.
static void guarded(int n, int m, double *restrict x, const double *restrict y)
{
#pragma acc parallel loop gang copy(x[:N]) copyin(y[:N])
    for (int i = 0; i < n; i++)
        if (m > 0) {
#pragma acc loop vector
            for (int j = 0; j < n / m; j++)
                x[i * (n / m) + j] = y[j];
        }
}

int main(void)
{
    static const int lengths[] = {N - 1, N, 1030, 3, 1, 0, -7};
    for (int t = 0; t < 7; t++) {
        int n = lengths[t];
        start();
        halves(n, a, b);
        for (int i = 0; i < n / 2; i++)
            ok[i] = b[i] + ok[i + n / 2];
        compare("halves");
        folded(n, a);
        for (int i = 0; i < n / 2; i++)
            ok[i] += ok[i + n / 2];
        compare("folded");
        downwards(n, a, b);
        for (int i = 0; i < n / 3; i++)
            ok[i] = 2 * b[i];
        compare("downwards");
        smaller(n, 1025, f, g);
        for (int i = 0; i < N; i++)
            check_near("smaller", i, f[i], i < n && i < 1025 ? g[i] + 1 : i % 5, 0);
        struct shape s = {n, 3};
        member(&s, a, b);
        for (int i = 0; i < n / 4; i++)
            ok[i] = 3 * b[i];
        compare("member");
    }
    start();
    bits(N, a, b);
    for (unsigned i = N % 8; i < (N & ~3u); i++)
        ok[i] = b[i] - 1;
    compare("bits");
    static const int squares[] = {1050, 95, 64};
    for (int t = 0; t < 3; t++) {
        int n = squares[t];
        nest(n, a, b);
        for (int i = 0; i < n % 32; i++)
            for (int j = 0; j < n >> 6; j++)
                ok[i * (n >> 6) + j] = b[j] * i;
        compare("nest");
    }
    rows(300, a, b);
    for (int i = 0; i < 300; i++) {
        ok[i] = 0;
        for (int j = 0; j < i / 2; j++)
            ok[i] += b[j];
    }
    compare("rows");
    for (int m = 0; m < 3; m++) {
        guarded(60, m, a, b);
        for (int i = 0; i < 60 && m > 0; i++)
            for (int j = 0; j < 60 / m; j++)
                ok[i * (60 / m) + j] = b[j];
        compare("guarded");
    }
    return finish();
}

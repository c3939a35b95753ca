// Nests, several loops and reductions of kernels constructs whose arrays may overlap; the host runs the loop over time steps.
// expect: launches=24 fallbacks=12
#include <stdlib.h>
#include "check.h"

#define N 60

static void multiply(int n, double *a, double *b, double *c)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

static void multiply_on_host(int n, double *a, double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

/* Two loops in one construct, a sequential one around them, and a scalar that is read after it. */
static int relax(int steps, int n, int *to, int *from)
{
    int last = 0;
#pragma acc kernels copy(to[0:n], from[0:n])
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            to[i] = (from[i - 1] + from[i] + from[i + 1]) / 2 % 1000;
        last = t;
        for (int i = 1; i < n - 1; i++)
            from[i] = to[i];
    }
    return last;
}

static int relax_on_host(int steps, int n, int *to, int *from)
{
    int last = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            to[i] = (from[i - 1] + from[i] + from[i + 1]) / 2 % 1000;
        last = t;
        for (int i = 1; i < n - 1; i++)
            from[i] = to[i];
    }
    return last;
}

/* A sum that the compiler finds in a loop which also writes, and one that the user names. */
static long sums(int n, int *to, int *from, int *most)
{
    long sum = 5;
    int m = -1;
#pragma acc kernels
    {
#pragma acc loop reduction(max : m)
        for (int i = 0; i < n; i++) {
            to[i] = from[i] * 2 + 1;
            sum += to[i];
            m = from[i] > m ? from[i] : m;
        }
    }
    *most = m;
    return sum;
}

static long sums_on_host(int n, int *to, int *from, int *most)
{
    long sum = 5;
    *most = -1;
    for (int i = 0; i < n; i++) {
        to[i] = from[i] * 2 + 1;
        sum += to[i];
        *most = from[i] > *most ? from[i] : *most;
    }
    return sum;
}

int main(void)
{
    static double a[N * N], b[N * N], c[N * N], d[N * N];
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 3;
        b[i] = d[i] = i % 5 * 0.25;
    }
    multiply(N, a, b, c);
    multiply_on_host(N, a, b, d);
    for (int i = 0; i < N * N; i++)
        check_near("apart", i, c[i], d[i], 1e-12);
    for (int i = 0; i < N * N; i++)
        d[i] = b[i];
    multiply(N, a, b, b);
    multiply_on_host(N, a, d, d);
    for (int i = 0; i < N * N; i++)
        check_near("the same", i, b[i], d[i], 1e-12);

    enum { M = 300, STEPS = 5 };
    int x[2 * M], y[2 * M];
    for (int i = 0; i < 2 * M; i++)
        x[i] = y[i] = i * 13 % 101;
    check_int("last", 0, relax(STEPS, M, x, x + M), relax_on_host(STEPS, M, y, y + M));
#pragma acc data copy(x)
    relax(STEPS, M, x + 2, x);
    relax_on_host(STEPS, M, y + 2, y);
    for (int i = 0; i < 2 * M; i++)
        check_int("relaxed", i, x[i], y[i]);

    int most, want;
    long sum = 0;
#pragma acc data copy(x)
    sum = sums(M, x, x + M, &most);
    check_int("sum", 0, sum, sums_on_host(M, y, y + M, &want));
    check_int("most", 0, most, want);
#pragma acc data copy(x)
    sum = sums(15, x + 1, x, &most);
    check_int("sum", 1, sum, sums_on_host(15, y + 1, y, &want));
    check_int("most", 1, most, want);
    for (int i = 0; i < 2 * M; i++)
        check_int("x", i, x[i], y[i]);
    return finish();
}

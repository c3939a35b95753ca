// A thread may run several iterations side by side: what each reads and writes stays its own, whatever the sizes.
// env: ACCL_RESIDENT_THREADS=1
// expect: launches=52
#include "check.h"
#include <stdlib.h>

enum { MOST = 700 };

static void stencil(int lower, int n, const int *restrict a, int *restrict b)
{
#pragma acc parallel loop copyin(a[:MOST]) copy(b[:MOST])
    for (int i = lower; i < n; i++) {
        int least = a[i];
        if (i > 0 && a[i - 1] < least)
            least = a[i - 1];
        if (i < n - 1 && a[i + 1] < least)
            least = a[i + 1];
        b[i] = least;
    }
}

static void stencil_serial(int lower, int n, const int *a, int *b)
{
    for (int i = lower; i < n; i++) {
        int least = a[i];
        if (i > 0 && a[i - 1] < least)
            least = a[i - 1];
        if (i < n - 1 && a[i + 1] < least)
            least = a[i + 1];
        b[i] = least;
    }
}

/* Reads and writes one array; the last index included; counted in long. */
static void eliminate(long n, long k, double *m)
{
#pragma acc parallel loop collapse(2) copy(m[:n * n])
    for (long i = k + 1; i <= n - 1; i++)
        for (long j = k + 1; j <= n - 1; j++)
            m[i * n + j] -= m[i * n + k] * m[k * n + j];
}

static void eliminate_serial(long n, long k, double *m)
{
    for (long i = k + 1; i <= n - 1; i++)
        for (long j = k + 1; j <= n - 1; j++)
            m[i * n + j] -= m[i * n + k] * m[k * n + j];
}

/* A loop inside, with what it adds up living on; two outputs, one under a condition. */
static void product(int n, int m, const float *restrict a, const float *restrict b, float *restrict c,
                    int *restrict sign)
{
#pragma acc parallel loop collapse(2) copyin(a[:n * m], b[:m * n]) copy(c[:n * n], sign[:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f, most = -1.0f;
            for (int k = 0; k < m; k++) {
                float term = a[i * m + k] * b[k * n + j];
                sum += term;
                most = term > most ? term : most;
            }
            c[i * n + j] = sum;
            if (sum > most)
                sign[i * n + j] = c[i * n + j] > 0 ? 1 : -1;
        }
}

static void product_serial(int n, int m, const float *a, const float *b, float *c, int *sign)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f, most = -1.0f;
            for (int k = 0; k < m; k++) {
                float term = a[i * m + k] * b[k * n + j];
                sum += term;
                most = term > most ? term : most;
            }
            c[i * n + j] = sum;
            if (sum > most)
                sign[i * n + j] = c[i * n + j] > 0 ? 1 : -1;
        }
}

/* Three dimensions, scattered writes, a second statement that reads what the first wrote. */
static void scatter(int n, const int *restrict to, double *restrict x, double *restrict y)
{
#pragma acc parallel loop collapse(3) copyin(to[:n * n * n]) copy(x[:n * n * n], y[:n * n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                int at = (i * n + j) * n + k;
                x[to[at]] = at + 0.5;
                y[at] = 2 * x[to[at]] + y[at];
            }
}

int main(void)
{
    static int a[MOST], b[MOST], expected[MOST];
    for (int i = 0; i < MOST; i++)
        a[i] = (i * 7919) % 1000;
    int sizes[] = {0, 1, 2, 3, 255, 256, 257, 511, 700};
    for (int s = 0; s < 9; s++)
        for (int lower = 0; lower < 4; lower++) {
            for (int i = 0; i < MOST; i++)
                b[i] = expected[i] = -1;
            stencil(lower, sizes[s], a, b);
            stencil_serial(lower, sizes[s], a, expected);
            for (int i = 0; i < MOST; i++)
                check_int("b", i, b[i], expected[i]);
        }
    for (int n = 1; n < 10; n++) {
        double m[100], e[100];
        for (int i = 0; i < n * n; i++)
            m[i] = e[i] = 1.0 + (i * 31) % 17;
        eliminate(n, n / 3, m);
        eliminate_serial(n, n / 3, e);
        for (int i = 0; i < n * n; i++)
            check_near("m", i, m[i], e[i], 1e-14);
    }
    for (int n = 1; n < 80; n += 9) {
        int m = n + 3;
        float *p = malloc(sizeof *p * n * m), *q = malloc(sizeof *q * n * m);
        float *c = malloc(sizeof *c * n * n), *d = malloc(sizeof *d * n * n);
        int *sign = calloc(n * n, sizeof *sign), *sign_serial = calloc(n * n, sizeof *sign_serial);
        for (int i = 0; i < n * m; i++) {
            p[i] = (float)((i * 13) % 11) - 5.0f;
            q[i] = (float)((i * 17) % 7) - 3.0f;
        }
        product(n, m, p, q, c, sign);
        product_serial(n, m, p, q, d, sign_serial);
        for (int i = 0; i < n * n; i++) {
            check_near("c", i, c[i], d[i], 1e-6);
            check_int("sign", i, sign[i], sign_serial[i]);
        }
        free(p), free(q), free(c), free(d), free(sign), free(sign_serial);
    }
    for (int n = 1; n < 28; n += 3) {
        int cells = n * n * n;
        int *to = malloc(sizeof *to * cells);
        double *x = calloc(cells, sizeof *x), *y = calloc(cells, sizeof *y);
        for (int i = 0; i < cells; i++)
            to[i] = cells - 1 - i;
        scatter(n, to, x, y);
        for (int i = 0; i < cells; i++) {
            check_near("x", i, x[to[i]], i + 0.5, 0.0);
            check_near("y", i, y[i], 2 * i + 1.0, 0.0);
        }
        free(to), free(x), free(y);
    }
    return finish();
}

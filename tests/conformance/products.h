/* Products of which rows begin at multiples of 16 bytes, and others that do not, for 745 and 746. Each sum is exact. */
#include "check.h"
#include <stdlib.h>

enum { ALL = 300 * 304 };

/* Sizes, the distances between rows, and where the arrays begin. */
typedef struct {
    int n, m, k, lda, ldb, ldc, from;
} Shape;

static const Shape shapes[] = {
    {128, 128, 64, 64, 128, 128, 0},  /* whole tiles */
    {133, 76, 52, 52, 76, 76, 0},     /* parts of tiles, rows of groups */
    {133, 76, 53, 56, 80, 77, 0},     /* a depth of which something is left */
    {65, 66, 7, 8, 68, 66, 0},        /* no whole depth */
    {130, 75, 24, 24, 76, 75, 0},     /* the last group is cut */
    {130, 76, 24, 25, 76, 76, 0},     /* rows of one factor lie anyhow */
    {130, 76, 24, 24, 76, 76, 1},     /* arrays begin between groups */
    {70, 70, 0, 8, 72, 70, 0},        /* no products at all */
    {0, 76, 24, 24, 76, 76, 0},       /* nothing */
    {1, 4, 300, 304, 4, 4, 0},        /* one row */
};

static double *a, *b, *c;
static float *f, *g, *h;

static void fill(void)
{
    for (int e = 0; e < ALL; e++) {
        f[e] = a[e] = e * 7 % 11 - 5;
        g[e] = b[e] = e * 5 % 9 - 4;
        h[e] = c[e] = e % 4;
    }
}

static void plain(Shape s, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, b, c)
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < s.m; j++) {
            double sum = 0;
            for (int k = 0; k < s.k; k++)
                sum += a[i * s.lda + k] * b[k * s.ldb + j];
            c[i * s.ldc + j] = sum;
        }
}

static void scaled(Shape s, double alpha, double beta, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, b, c)
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < s.m; j++) {
            c[i * s.ldc + j] *= beta;
            for (int k = 0; k < s.k; k++)
                c[i * s.ldc + j] += alpha * a[i * s.lda + k] * b[k * s.ldb + j];
        }
}

/* The first factor by columns, the second by rows, in a third loop. */
static void crossed(Shape s, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(3) present(a, b, c)
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < s.n; i++)
            for (int j = 0; j < s.m / 2; j++) {
                double sum = p;
                for (int k = 0; k < s.k; k++)
                    sum = b[j * s.lda + k] * a[k * s.ldb + i % 70] + sum;
                c[i * s.ldc + j + p * (s.m / 2)] = sum;
            }
}

static void from_floats(Shape s, const float *restrict f, const float *restrict g, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(f, g, c)
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < s.m; j++) {
            double sum = 0;
            for (int k = 0; k < s.k; k++)
                sum += (double)f[i * s.lda + k] * (double)g[k * s.ldb + j];
            c[i * s.ldc + j] = sum;
        }
}

static void singles(Shape s, const float *restrict f, const float *restrict g, float *restrict h)
{
#pragma acc parallel loop collapse(2) present(f, g, h)
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < s.m; j++) {
            float sum = 0;
            for (int k = 0; k < s.k; k++)
                sum += f[i * s.lda + k] * g[k * s.ldb + j];
            h[i * s.ldc + j] = sum;
        }
}

/* What the element at (i, j) must be; `kind` counts the functions. */
static double expected(int kind, Shape s, int i, int j)
{
    double old = (i * s.ldc + j) % 4, sum = kind == 1 ? old * 3 : kind == 2 ? j / (s.m / 2) : 0;
    if (kind == 2 && j / (s.m / 2) > 1)
        return old;
    for (int k = 0; k < s.k; k++)
        sum += kind == 2 ? b[s.from + j % (s.m / 2) * s.lda + k] * a[s.from + k * s.ldb + i % 70]
                         : (kind == 1 ? 2 : 1) * a[s.from + i * s.lda + k] * b[s.from + k * s.ldb + j];
    return sum;
}

static void check(int kind, Shape s)
{
    static const char *names[] = {"plain", "scaled", "crossed", "from floats", "singles"};
    for (int e = 0; e < ALL; e++) {
        int i = e / s.ldc, j = e % s.ldc;
        double value = kind == 4 ? h[e] : c[e];
        check_near(names[kind], e, value, i < s.n && j < s.m ? expected(kind, s, i, j) : e % 4, 0);
    }
}

static int all_products(void)
{
    a = malloc(ALL * sizeof *a), b = malloc(ALL * sizeof *b), c = malloc(ALL * sizeof *c);
    f = malloc(ALL * sizeof *f), g = malloc(ALL * sizeof *g), h = malloc(ALL * sizeof *h);
    for (int at = 0; at < (int)(sizeof shapes / sizeof *shapes); at++)
        for (int kind = 0; kind < 5; kind++) {
            Shape s = shapes[at];
            fill();
#pragma acc data copyin(a[0:ALL], b[0:ALL], f[0:ALL], g[0:ALL]) copy(c[0:ALL], h[0:ALL])
            {
                switch (kind) {
                case 0: plain(s, a + s.from, b + s.from, c); break;
                case 1: scaled(s, 2, 3, a + s.from, b + s.from, c); break;
                case 2: crossed(s, a + s.from, b + s.from, c); break;
                case 3: from_floats(s, f + s.from, g + s.from, c); break;
                default: singles(s, f + s.from, g + s.from, h);
                }
            }
            check(kind, s);
        }
    free(a), free(b), free(c), free(f), free(g), free(h);
    return finish();
}

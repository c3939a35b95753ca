// Kernels as generators for stencils and lattices write them: all strides are parameters, so that fields may lie in memory in any
// order. The loops inside the parallel one are shared, too, where the strides of a launch allow it.
// expect: launches=12
#include "../check.h"
#include <stdint.h>
#include <stdlib.h>

#define N 40
#define M 37

static void stencil(double *restrict d, const double *restrict s, int64_t n, int64_t m, int64_t d0, int64_t d1, int64_t s0, int64_t s1)
{
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int64_t i = 1; i < n - 1; i += 1)
            for (int64_t j = 1; j < m - 1; j += 1)
                d[d0 * i + d1 * j] = s[s0 * i + s0 + s1 * j] + s[s0 * i - s0 + s1 * j] + 2 * s[s0 * i + s1 * j + s1]
                                     + 3 * s[s0 * i + s1 * j - s1];
    }
}

static void stencil_on_host(double *d, const double *s, int64_t n, int64_t m, int64_t d0, int64_t d1, int64_t s0, int64_t s1)
{
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < m - 1; j++)
            d[d0 * i + d1 * j] = s[s0 * i + s0 + s1 * j] + s[s0 * i - s0 + s1 * j] + 2 * s[s0 * i + s1 * j + s1]
                                 + 3 * s[s0 * i + s1 * j - s1];
}

#define PART(k) g[g0 * i + g1 * j + k * g2] = f[g0 * i + g1 * (j - 1) + k * g2] + k;
#define PARTS PART(0) PART(1) PART(2) PART(3) PART(4) PART(5) PART(6) PART(7) PART(8)

/* Nine values for each cell. */
static void lattice(double *restrict g, const double *restrict f, int64_t n, int64_t m, int64_t g0, int64_t g1, int64_t g2)
{
#pragma omp parallel for
    for (int64_t i = 1; i < n - 1; i += 1)
        for (int64_t j = 1; j < m - 1; j += 1) {
            PARTS
        }
}

static void lattice_on_host(double *g, const double *f, int64_t n, int64_t m, int64_t g0, int64_t g1, int64_t g2)
{
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < m - 1; j++) {
            PARTS
        }
}

/* Each iteration of the inner loop adds to the element of the one before, where its stride is 0. */
static void sums(double *restrict d, const double *restrict s, int64_t n, int64_t m, int64_t d0, int64_t d1)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i += 1)
        for (int64_t j = 0; j < m; j += 1)
            d[d0 * i + d1 * j] += s[i * m + j];
}

static void compare(const char *what, const double *got, const double *want, int count)
{
    for (int i = 0; i < count; i++)
        check_near(what, i, got[i], want[i], 1e-12);
}

int main(void)
{
    enum { CELLS = 9 * N * M };
    double *a = malloc(CELLS * sizeof *a), *b = calloc(CELLS, sizeof *b), *c = calloc(CELLS, sizeof *c);
    for (int i = 0; i < CELLS; i++)
        a[i] = (i * 37) % 101;

    /* By rows, by columns, every second element, backwards by rows. */
    static const int64_t steps[][2] = {{M, 1}, {1, N}, {2 * M, 2}, {-M, 1}};
    for (int k = 0; k < 4; k++) {
        int64_t begin = steps[k][0] < 0 ? N * M : 0;
        stencil(b + begin, a + begin, N, M, steps[k][0], steps[k][1], steps[k][0], steps[k][1]);
        stencil_on_host(c + begin, a + begin, N, M, steps[k][0], steps[k][1], steps[k][0], steps[k][1]);
        compare("stencil", b, c, CELLS);
    }
    stencil(b, a, N, M, M, 1, 1, N);
    stencil_on_host(c, a, N, M, M, 1, 1, N);
    compare("transposed", b, c, CELLS);

    static const int64_t fields[][3] = {{9 * M, 9, 1}, {M, 1, N * M}, {9, 9 * N, 1}, {9 * M, 1, M}};
    for (int k = 0; k < 4; k++) {
        lattice(b, a, N, M, fields[k][0], fields[k][1], fields[k][2]);
        lattice_on_host(c, a, N, M, fields[k][0], fields[k][1], fields[k][2]);
        compare("lattice", b, c, CELLS);
    }

    for (int64_t step = 0; step < 3; step++) {
        sums(b, a, N, M, 2 * M, step);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                c[2 * M * i + step * j] += a[i * M + j];
        compare("sums", b, c, CELLS);
    }
    return finish();
}

/* Input and check of JACOBI: a square grid with a frame that stays. */
#include "../frame.h"

enum { MAX = 4096 + 2 };
static float a[MAX][MAX], b[MAX][MAX];
static int n, steps;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_jacobi", "", bench_arg(argc, argv, 3, 1), 1e-5};
    n = bench_arg(argc, argv, 1, 256);
    steps = bench_arg(argc, argv, 2, 10);
    if (n + 2 > MAX)
        exit(2);
    snprintf(facts.size, sizeof facts.size, "%dx%d", n, steps);
    return facts;
}

LINKAGE void input(void)
{
    int i, j;
    for (i = 0; i <= n + 1; i++)
        for (j = 0; j <= n + 1; j++)
            b[i][j] = 0;
    for (i = 0; i <= n + 1; i++) {
        b[i][0] = 1.0f + i % 5;
        b[i][n + 1] = 2;
        b[0][i] = 0.5f * (i % 3);
        b[n + 1][i] = 3;
    }
}

LINKAGE double digest(void)
{
    double sum = 0;
    int i, j;
    for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++)
            sum += b[i][j];
    return sum;
}

LINKAGE double check(void)
{
    double error = 0;
    size_t row = n + 2;
    float *u = (float *)bench_alloc(row * row, sizeof *u), *v = (float *)bench_alloc(row * row, sizeof *v);
    float *got = (float *)bench_alloc(row * row, sizeof *got);
    int i, j, k;
    for (i = 0; i <= n + 1; i++)
        memcpy(got + i * row, b[i], row * sizeof *got);
    input();
    for (i = 0; i <= n + 1; i++)
        memcpy(u + i * row, b[i], row * sizeof *u);
    for (k = 0; k < steps; k++) {
        for (i = 1; i <= n; i++)
            for (j = 1; j <= n; j++)
                v[i * row + j] = (u[(i - 1) * row + j] + u[(i + 1) * row + j] + u[i * row + j - 1] +
                                  u[i * row + j + 1]) / 4.0f;
        for (i = 1; i <= n; i++)
            for (j = 1; j <= n; j++)
                u[i * row + j] = v[i * row + j];
    }
    for (i = 0; i < (int)(row * row); i++)
        error = bench_worst(error, got[i], u[i], 1e-3);
    free(u);
    free(v);
    free(got);
    return error;
}

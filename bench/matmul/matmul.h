/* Input, check and report; matmul.c and matmul.cu supply the computation. */
#include "../common/bench.h"

#ifndef BENCH_NAME
#ifdef COMPRESSED
#define BENCH_NAME "matmul_c"
#else
#define BENCH_NAME "matmul"
#endif
#endif

/* c = a b, all n by n and row-major, t->reps times a round. */
static void matmul(int n, const float *a, const float *b, float *c, bench_timer *t);

/* Row i of the product, in double. */
static void serial_row(int n, int i, const float *a, const float *b, double *row)
{
    for (int j = 0; j < n; j++)
        row[j] = 0.0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            row[j] += (double)a[(size_t)i * n + k] * b[(size_t)k * n + j];
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 512);
    int reps = bench_arg(argc, argv, 2, 5);
    size_t elements = (size_t)n * n;
    float *a = (float *)bench_alloc(elements, sizeof *a);
    float *b = (float *)bench_alloc(elements, sizeof *b);
    float *c = (float *)bench_alloc(elements, sizeof *c);
    double *row = (double *)bench_alloc(n, sizeof *row);
    bench_fill_float(a, elements, 1, 0.0, 1.0);
    bench_fill_float(b, elements, 2, 0.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    matmul(n, a, b, c, &kernel);
    memset(c, 0, elements * sizeof *c);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    matmul(n, a, b, c, &once);
    double app_ms = bench_now_ms() - start;

    /* All rows of a small product, about 64 of a large one, the last always. */
    int stride = n <= 256 ? 1 : n / 64;
    double error = 0.0;
    int rows = 0;
    for (int i = n - 1; i >= 0; i -= stride, rows++) {
        serial_row(n, i, a, b, row);
        for (int j = 0; j < n; j++)
            error = bench_worst(error, c[(size_t)i * n + j], row[j], 1.0);
    }
    printf("compared %d of %d rows with the serial result\n", rows, n);

    char size[32];
    snprintf(size, sizeof size, "%dx%d", n, n);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-4);
    free(a);
    free(b);
    free(c);
    free(row);
    return status;
}

/* Input, check and report; gemm.c and gemm.cu supply the computation. */
#include "../common/bench.h"

#ifdef ELEMENT
#define SINGLE 1
#else
#define ELEMENT double
#define SINGLE 0
#endif
#ifdef OLD
#define BENCH_NAME (SINGLE ? "gemm_old_float" : "gemm_old")
#else
#define BENCH_NAME (SINGLE ? "gemm_float" : "gemm")
#endif

typedef ELEMENT element;

#define ALPHA ((element)1.5)
#define BETA ((element)0.5)

/* c = BETA start + ALPHA a b, all n by n and row-major, t->reps times a round. */
static void gemm(int n, const element *a, const element *b, const element *start, element *c, bench_timer *t);

/* Row i of the product, in double. */
static void serial_row(int n, int i, const element *a, const element *b, const element *start, double *row)
{
    for (int j = 0; j < n; j++)
        row[j] = (double)BETA * start[(size_t)i * n + j];
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            row[j] += (double)ALPHA * a[(size_t)i * n + k] * b[(size_t)k * n + j];
}

static element *random_matrix(int n, uint64_t seed)
{
    element *a = (element *)bench_alloc((size_t)n * n, sizeof *a);
    for (size_t i = 0; i < (size_t)n * n; i++)
        a[i] = (element)bench_uniform(&seed, 0.0, 1.0);
    return a;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 512);
    int reps = bench_arg(argc, argv, 2, 5);
    element *a = random_matrix(n, 1), *b = random_matrix(n, 2), *start = random_matrix(n, 3);
    element *c = (element *)bench_alloc((size_t)n * n, sizeof *c);
    double *row = (double *)bench_alloc(n, sizeof *row);

    bench_timer kernel = bench_timer_many(reps);
    gemm(n, a, b, start, c, &kernel);
    memset(c, 0, (size_t)n * n * sizeof *c);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    gemm(n, a, b, start, c, &once);
    double app_ms = bench_now_ms() - begin;

    /* All rows of a small product, about 64 of a large one, the last always. */
    int stride = n <= 256 ? 1 : n / 64;
    double error = 0.0;
    int rows = 0;
    for (int i = n - 1; i >= 0; i -= stride, rows++) {
        serial_row(n, i, a, b, start, row);
        for (int j = 0; j < n; j++)
            error = bench_worst(error, c[(size_t)i * n + j], row[j], 1.0);
    }
    printf("compared %d of %d rows with the serial result\n", rows, n);

    char size[32];
    snprintf(size, sizeof size, "%dx%d", n, n);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, SINGLE ? 1e-4 : 1e-11);
    free(a);
    free(b);
    free(start);
    free(c);
    free(row);
    return status;
}

/* Input, check and report; lud.c and lud.cu supply the computation. */
#include "../common/bench.h"

/* The factors of the n by n matrix `original`, without pivoting: the upper one in the upper triangle
 * of `a`, the lower one, whose diagonal is 1, below it. */
static void lud(int n, const float *original, float *a, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 256);
    int reps = bench_arg(argc, argv, 2, 1);
    size_t elements = (size_t)n * n;
    float *original = (float *)bench_alloc(elements, sizeof *original);
    float *a = (float *)bench_alloc(elements, sizeof *a);
    double *row = (double *)bench_alloc(n, sizeof *row);
    /* Large on the diagonal, so that no pivoting is needed. */
    bench_fill_float(original, elements, 1, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        original[(size_t)i * n + i] = 0.75f * n + i % 5;

    bench_timer kernel = bench_timer_many(reps);
    lud(n, original, a, &kernel);
    memset(a, 0, elements * sizeof *a);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    lud(n, original, a, &once);
    double app_ms = bench_now_ms() - start;

    /* Rows of the product of the factors, multiplied serially in double, are the original's: all
     * rows of a small matrix, about 64 of a large one, the last always. */
    int stride = n <= 256 ? 1 : n / 64, rows = 0;
    double error = 0.0;
    for (int i = n - 1; i >= 0; i -= stride, rows++) {
        for (int j = 0; j < n; j++)
            row[j] = j >= i ? a[(size_t)i * n + j] : 0.0;
        for (int k = 0; k < i; k++)
            for (int j = k; j < n; j++)
                row[j] += (double)a[(size_t)i * n + k] * a[(size_t)k * n + j];
        for (int j = 0; j < n; j++)
            error = bench_worst(error, row[j], original[(size_t)i * n + j], 1.0);
    }
    printf("compared %d of %d rows of the factors' product with the input\n", rows, n);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", n, n);
    int status = bench_report("lud", size, &kernel, app_ms, error, 1e-4);
    free(original);
    free(a);
    free(row);
    return status;
}

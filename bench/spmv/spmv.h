/* Input, check and report; spmv.c and spmv.cu supply the computation. */
#include "../common/bench.h"

#ifdef UNMARKED
#define BENCH_NAME "spmv_unmarked"
#else
#define BENCH_NAME "spmv"
#endif

/* A square matrix in compressed sparse rows. */
typedef struct {
    int rows, nonzeros;
    const int *begin, *column;
    const double *value;
} matrix;

/* y = a x, t->reps times a round. */
static void spmv(matrix a, const double *x, double *y, bench_timer *t);

/* Rows of 0 to 2 * mean elements, and one of 200 four times that long: the mean is `mean`, nearly.
 * Most elements are near the diagonal. */
static matrix random_matrix(int rows, int mean)
{
    uint64_t seed = 1;
    int *begin = (int *)bench_alloc((size_t)rows + 1, sizeof *begin);
    for (int i = 0; i < rows; i++) {
        int length = bench_below(&seed, 2 * mean + 1);
        begin[i + 1] = begin[i] + (bench_below(&seed, 200) ? length : 4 * length);
    }
    int nonzeros = begin[rows];
    int *column = (int *)bench_alloc((size_t)nonzeros + 1, sizeof *column);
    double *value = (double *)bench_alloc((size_t)nonzeros + 1, sizeof *value);
    for (int i = 0; i < rows; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            int near = i + bench_below(&seed, 8 * mean + 1) - 4 * mean;
            column[k] = near >= 0 && near < rows ? near : bench_below(&seed, rows);
            value[k] = bench_uniform(&seed, -1.0, 1.0);
        }
    matrix a = {rows, nonzeros, begin, column, value};
    return a;
}

int main(int argc, char **argv)
{
    int rows = bench_arg(argc, argv, 1, 100000);
    int mean = bench_arg(argc, argv, 2, 20);
    int reps = bench_arg(argc, argv, 3, 5);
    matrix a = random_matrix(rows, mean);
    double *x = (double *)bench_alloc(rows, sizeof *x);
    double *y = (double *)bench_alloc(rows, sizeof *y);
    bench_fill_double(x, rows, 2, -1.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    spmv(a, x, y, &kernel);
    memset(y, 0, rows * sizeof *y);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    spmv(a, x, y, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < rows; i++) {
        double sum = 0.0, scale = 1.0;
        for (int k = a.begin[i]; k < a.begin[i + 1]; k++) {
            sum += a.value[k] * x[a.column[k]];
            scale += fabs(a.value[k] * x[a.column[k]]);
        }
        error = bench_worst(error, y[i], sum, scale);
    }
    printf("%d rows, %d elements\n", rows, a.nonzeros);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", rows, mean);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-12);
    free((void *)a.begin);
    free((void *)a.column);
    free((void *)a.value);
    free(x);
    free(y);
    return status;
}

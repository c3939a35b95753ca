/* Input, check and report; walsh.c and walsh.cu supply the computation. -DFCW: steps within a block of 1024 elements
 * are one launch. */
#include "../common/bench.h"

#ifdef FCW
#define BENCH_NAME "walsh_fcw"
#else
#define BENCH_NAME "walsh"
#endif

/* The dyadic convolution c[i] = sum over j of a[j] b[i ^ j] by three fast Walsh-Hadamard transforms; n is a power of
 * two. a and b stay as they are. */
static void walsh(int n, const float *a, const float *b, float *c, bench_timer *t);

static void serial_transform(int n, double *x)
{
    for (int s = 1; s < n; s *= 2)
        for (int i = 0; i < n; i++)
            if (!(i & s)) {
                double low = x[i], high = x[i + s];
                x[i] = low + high;
                x[i + s] = low - high;
            }
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 16);
    int reps = bench_arg(argc, argv, 2, 3);
    if (n & (n - 1)) {
        fprintf(stderr, "the length must be a power of two\n");
        return 2;
    }
    float *a = (float *)bench_alloc(n, sizeof *a);
    float *b = (float *)bench_alloc(n, sizeof *b);
    float *c = (float *)bench_alloc(n, sizeof *c);
    double *x = (double *)bench_alloc(n, sizeof *x);
    double *y = (double *)bench_alloc(n, sizeof *y);
    bench_fill_float(a, n, 1, 0.0, 1.0);
    bench_fill_float(b, n, 2, 0.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    walsh(n, a, b, c, &kernel);
    memset(c, 0, n * sizeof *c);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    walsh(n, a, b, c, &once);
    double app_ms = bench_now_ms() - start;

    for (int i = 0; i < n; i++) {
        x[i] = a[i];
        y[i] = b[i];
    }
    serial_transform(n, x);
    serial_transform(n, y);
    for (int i = 0; i < n; i++)
        x[i] = x[i] * y[i] / n;
    serial_transform(n, x);
    double error = 0.0;
    for (int i = 0; i < n; i++)
        error = bench_worst(error, c[i], x[i], 1.0);

    char size[32];
    snprintf(size, sizeof size, "%d", n);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-3);
    free(a);
    free(b);
    free(c);
    free(x);
    free(y);
    return status;
}

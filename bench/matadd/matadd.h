/* Input, check and report; matadd.c and matadd.cu supply the computation. -DCOMPRESSED: the matrices are held in 32 bits
 * an element on the device. */
#include "../common/bench.h"

#define STRING(x) #x
#define TEXT(x) STRING(x)

/* c = a + b, matrices of n by n, t->reps times a round. */
static void matadd(int n, const double *a, const double *b, double *c, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1024);
    int reps = bench_arg(argc, argv, 2, 10);
    size_t count = (size_t)n * n;
    double *a = (double *)bench_alloc(count, sizeof *a);
    double *b = (double *)bench_alloc(count, sizeof *b);
    double *c = (double *)bench_alloc(count, sizeof *c);
    bench_fill_double(a, count, 1, -1.0, 1.0);
    bench_fill_double(b, count, 2, -1.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    matadd(n, a, b, c, &kernel);
    memset(c, 0, count * sizeof *c);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    matadd(n, a, b, c, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (size_t i = 0; i < count; i++)
        error = bench_worst(error, c[i], a[i] + b[i], 2.0);

    char size[32];
    snprintf(size, sizeof size, "%d", n);
#if defined(BLOCK)
    int status = bench_report("matadd_block", size, &kernel, app_ms, error, 1e-9);
#elif defined(COMPRESSED) && defined(BITS)
    int status = bench_report("matadd_" TEXT(BITS), size, &kernel, app_ms, error, 2.2 / (1 << BITS));
#elif defined(COMPRESSED)
    int status = bench_report("matadd_c", size, &kernel, app_ms, error, 1e-9);
#else
    int status = bench_report("matadd", size, &kernel, app_ms, error, 1e-15);
#endif
    free(a);
    free(b);
    free(c);
    return status;
}

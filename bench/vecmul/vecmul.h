/* Input, check and report; vecmul.c and vecmul.cu supply the computation. -DCOMPRESSED: the arrays are held in 16 bits
 * an element on the device, or in BITS; with -DBLOCK 32 elements share an exponent. */
#include "../common/bench.h"

#define STRING(x) #x
#define TEXT(x) STRING(x)

/* The range of what is multiplied. */
#define LIMIT 2.0f

/* c = a b, element by element, t->reps times a round. */
static void vecmul(int n, const float *a, const float *b, float *c, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 20);
    int reps = bench_arg(argc, argv, 2, 10);
    float *a = (float *)bench_alloc(n, sizeof *a);
    float *b = (float *)bench_alloc(n, sizeof *b);
    float *c = (float *)bench_alloc(n, sizeof *c);
    bench_fill_float(a, n, 1, -LIMIT, LIMIT);
    bench_fill_float(b, n, 2, -LIMIT, LIMIT);

    bench_timer kernel = bench_timer_many(reps);
    vecmul(n, a, b, c, &kernel);
    memset(c, 0, n * sizeof *c);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    vecmul(n, a, b, c, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < n; i++)
        error = bench_worst(error, c[i], (double)a[i] * b[i], LIMIT * LIMIT);

    char size[32];
    snprintf(size, sizeof size, "%d", n);
#if defined(BLOCK)
    int status = bench_report("vecmul_block", size, &kernel, app_ms, error, 8e-5);
#elif defined(COMPRESSED) && defined(BITS)
    /* Factors and result are each off by half an interval. */
    int status = bench_report("vecmul_" TEXT(BITS), size, &kernel, app_ms, error, 3.2 / (1 << BITS) + 4 * 0x1p-24);
#elif defined(COMPRESSED)
    int status = bench_report("vecmul_c", size, &kernel, app_ms, error, 5e-5);
#else
    int status = bench_report("vecmul", size, &kernel, app_ms, error, 1e-6);
#endif
    free(a);
    free(b);
    free(c);
    return status;
}

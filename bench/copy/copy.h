/* Input, check and report; copy.c and copy.cu supply the computation. -DCOMPRESSED: both arrays are held in 32 bits an
 * element on the device. */
#include "../common/bench.h"

enum { STRAIGHT, REVERSE, STRIDED, GATHERED, PATTERNS };

/* b[i] = a[from(i)], t->reps times a round. */
static void copy(int n, int pattern, const double *a, double *b, const int *index, bench_timer *t);

/* Where element i comes from. The stride is odd, so that with n a power of two each comes once. */
#ifndef STRIDE
#define STRIDE 17
#endif

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 20);
    int pattern = bench_arg(argc, argv, 2, 1) - 1;
    int reps = bench_arg(argc, argv, 3, 10);
    double *a = (double *)bench_alloc(n, sizeof *a);
    double *b = (double *)bench_alloc(n, sizeof *b);
    int *index = (int *)bench_alloc(n, sizeof *index);
    bench_fill_double(a, n, 1, -100.0, 100.0);
    uint64_t seed = 2;
    for (int i = 0; i < n; i++)
        index[i] = bench_below(&seed, n);

    bench_timer kernel = bench_timer_many(reps);
    copy(n, pattern, a, b, index, &kernel);
    memset(b, 0, n * sizeof *b);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    copy(n, pattern, a, b, index, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < n; i++) {
        int from = pattern == REVERSE    ? n - 1 - i
                   : pattern == STRIDED  ? (int)((long)i * STRIDE % n)
                   : pattern == GATHERED ? index[i]
                                         : i;
        error = bench_worst(error, b[i], a[from], 100.0);
    }

    char size[48];
    snprintf(size, sizeof size, "%d/%d", n, pattern + 1);
#ifdef COMPRESSED
    int status = bench_report("copy_c", size, &kernel, app_ms, error, 1e-9);
#else
    int status = bench_report("copy", size, &kernel, app_ms, error, 0.0);
#endif
    free(a);
    free(b);
    free(index);
    return status;
}

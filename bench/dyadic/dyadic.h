/* Input, check and report; dyadic.c and dyadic.cu supply the computation. -DCOMPRESSED: the data, which every thread
 * reads in an order of its own, is held in 16 bits an element on the device. */
#include "../common/bench.h"

/* c[i] = sum over j of a[j] b[i ^ j], n a power of two, t->reps times a round. */
static void dyadic(int n, const float *a, const float *b, float *c, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 12);
    int reps = bench_arg(argc, argv, 2, 3);
    float *a = (float *)bench_alloc(n, sizeof *a);
    float *b = (float *)bench_alloc(n, sizeof *b);
    float *c = (float *)bench_alloc(n, sizeof *c);
    if (n & (n - 1)) {
        fprintf(stderr, "the length must be a power of two\n");
        return 2;
    }
    bench_fill_float(a, n, 1, 0.0, 1.0);
    bench_fill_float(b, n, 2, 0.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    dyadic(n, a, b, c, &kernel);
    memset(c, 0, n * sizeof *c);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    dyadic(n, a, b, c, &once);
    double app_ms = bench_now_ms() - start;

    /* A sample of 64 elements is compared. */
    double error = 0.0;
    for (int s = 0; s < 64; s++) {
        int i = (int)((long)s * n / 64);
        double want = 0.0;
        for (int j = 0; j < n; j++)
            want += (double)a[j] * b[i ^ j];
        error = bench_worst(error, c[i], want, 1.0);
    }
    printf("checked: 64 elements\n");

    char size[32];
    snprintf(size, sizeof size, "%d", n);
#ifdef COMPRESSED
    int status = bench_report("dyadic_c", size, &kernel, app_ms, error, 2e-4);
#else
    int status = bench_report("dyadic", size, &kernel, app_ms, error, 2e-4);
#endif
    free(a);
    free(b);
    free(c);
    return status;
}

/* Input, check and report; argmax.c and argmax.cu supply the computation. */
#include "../common/bench.h"

/* The largest element of each of n rows of m, and the first place of it, t->reps times a round. */
static void argmax(int n, int m, const float *a, float *most, int *place, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 4096);
    int m = bench_arg(argc, argv, 2, 4096);
    int reps = bench_arg(argc, argv, 3, 10);
    float *a = (float *)bench_alloc((size_t)n * m, sizeof *a);
    float *most = (float *)bench_alloc(n, sizeof *most);
    int *place = (int *)bench_alloc(n, sizeof *place);
    uint64_t seed = 1;
    /* Each value several times. */
    for (size_t k = 0; k < (size_t)n * m; k++)
        a[k] = (float)bench_below(&seed, m / 4 + 1);

    bench_timer kernel = bench_timer_many(reps);
    argmax(n, m, a, most, place, &kernel);
    memset(most, 0, n * sizeof *most);
    memset(place, 0, n * sizeof *place);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    argmax(n, m, a, most, place, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < n; i++) {
        int at = 0;
        for (int j = 1; j < m; j++)
            if (a[(size_t)i * m + j] > a[(size_t)i * m + at])
                at = j;
        error = bench_worst(error, most[i], a[(size_t)i * m + at], 1.0);
        error = bench_worst(error, place[i], at, 1.0);
    }

    char size[32];
    snprintf(size, sizeof size, "%dx%d", n, m);
    int status = bench_report("argmax", size, &kernel, app_ms, error, 0.0);
    free(a);
    free(most);
    free(place);
    return status;
}

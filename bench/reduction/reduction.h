/* Input, check and report; the programs supply the computation. */
#include "../common/bench.h"

#ifndef BENCH_NAME
#define BENCH_NAME "reduction"
#endif

/* The sum of n numbers. */
static int reduction(int n, int *numbers, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 20);
    int reps = bench_arg(argc, argv, 2, 5);
    int *numbers = (int *)bench_alloc(n, sizeof *numbers);
    uint64_t seed = 1;
    unsigned want = 0;
    for (int i = 0; i < n; i++)
        want += (unsigned)(numbers[i] = bench_below(&seed, 100) - 20);

    bench_timer kernel = bench_timer_many(reps);
    reduction(n, numbers, &kernel);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    int sum = reduction(n, numbers, &once);
    double app_ms = bench_now_ms() - start;

    char size[32];
    snprintf(size, sizeof size, "%d", n);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, (unsigned)sum == want ? 0.0 : 1.0, 0.0);
    free(numbers);
    return status;
}

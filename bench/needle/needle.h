/* Input, check and report; needle.c and needle.cu supply the computation. -DFCW: tiles of 32 by 32 cells, a diagonal of
 * tiles a launch. */
#include "../common/bench.h"

#ifdef FCW
#define BENCH_NAME "needle_fcw"
#else
#define BENCH_NAME "needle"
#endif

#define MATCH 5
#define MISMATCH (-3)
#define GAP 10

/* The Needleman-Wunsch scores of sequences x and y, n letters each: an (n + 1) by (n + 1) matrix whose first row and
 * column are given. */
static void needle(int n, const int *x, const int *y, int *score, bench_timer *t);

static void borders(int n, int *score)
{
    for (int i = 0; i <= n; i++)
        score[i] = score[(size_t)i * (n + 1)] = -GAP * i;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 512);
    int reps = bench_arg(argc, argv, 2, 3);
    size_t cells = (size_t)(n + 1) * (n + 1);
    int *x = (int *)bench_alloc(n, sizeof *x);
    int *y = (int *)bench_alloc(n, sizeof *y);
    int *score = (int *)bench_alloc(cells, sizeof *score);
    int *want = (int *)bench_alloc(cells, sizeof *want);
    uint64_t seed = 1;
    for (int i = 0; i < n; i++) {
        x[i] = bench_below(&seed, 4);
        y[i] = bench_below(&seed, 4);
    }

    borders(n, score);
    bench_timer kernel = bench_timer_many(reps);
    needle(n, x, y, score, &kernel);
    memset(score, 0, cells * sizeof *score);
    borders(n, score);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    needle(n, x, y, score, &once);
    double app_ms = bench_now_ms() - start;

    borders(n, want);
    for (int r = 1; r <= n; r++)
        for (int c = 1; c <= n; c++) {
            const int *above = want + (size_t)(r - 1) * (n + 1);
            int *row = want + (size_t)r * (n + 1);
            int best = above[c - 1] + (x[r - 1] == y[c - 1] ? MATCH : MISMATCH);
            best = above[c] - GAP > best ? above[c] - GAP : best;
            row[c] = row[c - 1] - GAP > best ? row[c - 1] - GAP : best;
        }
    double error = 0.0;
    for (size_t i = 0; i < cells; i++)
        error = bench_worst(error, score[i], want[i], 1.0);

    char size[32];
    snprintf(size, sizeof size, "%dx%d", n, n);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 0.0);
    free(x);
    free(y);
    free(score);
    free(want);
    return status;
}

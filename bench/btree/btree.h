/* Input, check and report; btree.c and btree.cu supply the computation. */
#include "../common/bench.h"

enum { ORDER = 256 };

typedef struct {
    int keys[ORDER + 1];
    int children[ORDER + 1]; /* in the lowest level: places of records */
} node;

/* The value of the record of each of n keys, or -1, found from the root down through `height` levels, t->reps times a round. */
static void search(int n, int height, int count, const node *nodes, int records, const int *values, const int *wanted,
                   int *current, int *next, int *found, bench_timer *t);

/* Nodes before those of this level. */
static int before(int level)
{
    int sum = 0;
    for (int n = 1; level > 0; level--, n *= ORDER)
        sum += n;
    return sum;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 10000);
    int height = bench_arg(argc, argv, 2, 3);
    int reps = bench_arg(argc, argv, 3, 10);
    int count = before(height);
    int records = 1;
    for (int level = 0; level < height; level++)
        records *= ORDER;
    node *nodes = (node *)bench_alloc(count, sizeof *nodes);
    int *values = (int *)bench_alloc(records, sizeof *values), *wanted = (int *)bench_alloc(n, sizeof *wanted);
    int *found = (int *)bench_alloc(n, sizeof *found), *current = (int *)bench_alloc(2 * (size_t)n, sizeof *current);
    /* Record r has the key 2 r. */
    for (int level = 0, width = records / ORDER; level < height; level++, width /= ORDER)
        for (int k = before(level), first = 0; k < before(level + 1); k++, first += ORDER * width)
            for (int j = 0; j <= ORDER; j++) {
                nodes[k].keys[j] = 2 * (first + j * width);
                int below = level + 1 < height ? before(level + 1) : 0, last = level + 1 < height ? count : records;
                int child = below + (k - before(level)) * ORDER + j;
                nodes[k].children[j] = child < last ? child : last - 1;
            }
    uint64_t seed = 1;
    for (int r = 0; r < records; r++)
        values[r] = bench_below(&seed, 1 << 30);
    for (int i = 0; i < n; i++)
        wanted[i] = bench_below(&seed, 2 * records);

    bench_timer kernel = bench_timer_many(reps);
    search(n, height, count, nodes, records, values, wanted, current, current + n, found, &kernel);
    memset(found, 0, n * sizeof *found);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    search(n, height, count, nodes, records, values, wanted, current, current + n, found, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = 0; i < n; i++)
        error = bench_worst(error, found[i], wanted[i] % 2 ? -1 : values[wanted[i] / 2], 1.0);

    char size[32];
    snprintf(size, sizeof size, "%dx%d", n, height);
    int status = bench_report("btree", size, &kernel, app_ms, error, 0.0);
    free(nodes);
    free(values);
    free(wanted);
    free(found);
    free(current);
    return status;
}

/* Input, check and report; bfs.c and bfs.cu supply the computation. */
#include "../common/bench.h"

#ifdef ROWS
#define BENCH_NAME "bfs_rows"
#else
#define BENCH_NAME "bfs"
#endif

/* A directed graph in compressed rows: node i's edges are edge[begin[i]] .. edge[begin[i + 1] - 1]. */
typedef struct {
    int nodes, edges;
    const int *begin, *edge;
} graph;

/* The least number of edges from `source` to each node, -1 where there is no way. */
static void bfs(graph g, int source, int *level, bench_timer *t);

static void serial(graph g, int source, int *level)
{
    int *queue = (int *)bench_alloc(g.nodes, sizeof *queue);
    int head = 0, tail = 0;
    for (int i = 0; i < g.nodes; i++)
        level[i] = -1;
    level[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int i = queue[head++];
        for (int k = g.begin[i]; k < g.begin[i + 1]; k++)
            if (level[g.edge[k]] < 0) {
                level[g.edge[k]] = level[i] + 1;
                queue[tail++] = g.edge[k];
            }
    }
    free(queue);
}

int main(int argc, char **argv)
{
    int nodes = bench_arg(argc, argv, 1, 100000);
    int reps = bench_arg(argc, argv, 2, 3);
    int *begin = (int *)bench_alloc((size_t)nodes + 1, sizeof *begin);
    uint64_t seed = 1;
    /* 0 to 12 edges a node: most to near nodes, some anywhere. */
    for (int i = 0; i < nodes; i++)
        begin[i + 1] = begin[i] + bench_below(&seed, 13);
    int *edge = (int *)bench_alloc((size_t)begin[nodes] + 1, sizeof *edge);
    for (int i = 0; i < nodes; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            int near = i + bench_below(&seed, 2001) - 1000;
            int anywhere = bench_below(&seed, nodes);
            edge[k] = bench_below(&seed, 8) && near >= 0 && near < nodes ? near : anywhere;
        }
    graph g = {nodes, begin[nodes], begin, edge};
    int *level = (int *)bench_alloc(nodes, sizeof *level);
    int *expected = (int *)bench_alloc(nodes, sizeof *expected);
    int source = 0;
    while (begin[source + 1] - begin[source] < 2)
        source++;

    bench_timer kernel = bench_timer_many(reps);
    bfs(g, source, level, &kernel);
    memset(level, 0, nodes * sizeof *level);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    bfs(g, source, level, &once);
    double app_ms = bench_now_ms() - start;

    serial(g, source, expected);
    double error = 0.0;
    int deepest = 0;
    for (int i = 0; i < nodes; i++) {
        error = bench_worst(error, level[i], expected[i], 1.0);
        deepest = expected[i] > deepest ? expected[i] : deepest;
    }
    printf("%d nodes, %d edges, %d levels\n", nodes, g.edges, deepest + 1);

    char size[32];
    snprintf(size, sizeof size, "%d", nodes);
    int status = bench_report(BENCH_NAME, size, &kernel, app_ms, error, 0.0);
    free(begin);
    free(edge);
    free(level);
    free(expected);
    return status;
}

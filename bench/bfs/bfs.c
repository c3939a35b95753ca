/* Breadth-first search in OpenACC: one kernel a level over all nodes, and a flag the host waits for.
 * Two nodes may write the level of a third at once;
 * they write the same, atomically. -DROWS: a gang for a node, lanes for its edges. */
#include "bfs.h"

static int expand(int nodes, int edges, const int *restrict begin, const int *restrict edge,
                  int *restrict level, int depth)
{
    int more = 0;
#ifdef ROWS
#pragma acc parallel loop gang present(begin[:nodes + 1], edge[:edges], level[:nodes]) \
    reduction(|| : more)
#else
#pragma acc parallel loop gang vector present(begin[:nodes + 1], edge[:edges], level[:nodes]) \
    reduction(|| : more)
#endif
#pragma omp parallel for reduction(|| : more) schedule(dynamic, 1024)
    for (int i = 0; i < nodes; i++) {
        if (level[i] != depth)
            continue;
#ifdef ROWS
#pragma acc loop vector reduction(|| : more)
#endif
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            int seen;
#pragma acc atomic read
#pragma omp atomic read
            seen = level[edge[k]];
            if (seen < 0) {
#pragma acc atomic write
#pragma omp atomic write
                level[edge[k]] = depth + 1;
                more = 1;
            }
        }
    }
    return more;
}

static void bfs(graph g, int source, int *restrict level, bench_timer *t)
{
    const int nodes = g.nodes, edges = g.edges;
    const int *begin = g.begin, *edge = g.edge;
#pragma acc data copyin(begin[:nodes + 1], edge[:edges]) copyout(level[:nodes])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < nodes; i++)
                level[i] = i == source ? 0 : -1;
            int depth = 0;
            while (expand(nodes, edges, begin, edge, level, depth))
                depth++;
        }
#pragma acc wait
    }
}

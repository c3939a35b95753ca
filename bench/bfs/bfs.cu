/* Breadth-first search in CUDA, one node a thread, one launch a level. */
#include "bfs.h"

__global__ void restart(int nodes, int source, int *level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nodes)
        level[i] = i == source ? 0 : -1;
}

__global__ void expand(int nodes, const int *begin, const int *edge, int *level, int depth,
                       int *more)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nodes || level[i] != depth)
        return;
    for (int k = begin[i]; k < begin[i + 1]; k++)
        if (level[edge[k]] < 0) {
            level[edge[k]] = depth + 1;
            *more = 1;
        }
}

static void bfs(graph g, int source, int *level, bench_timer *t)
{
    const int block = 256;
    const unsigned grid = bench_blocks(g.nodes, block);
    int *begin = bench_device(g.begin, (size_t)g.nodes + 1);
    int *edge = bench_device(g.edge, g.edges);
    int *dlevel = bench_device<int>(NULL, g.nodes);
    int *dmore = bench_device<int>(NULL, 1);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            restart<<<grid, block>>>(g.nodes, source, dlevel);
            int more = 1;
            for (int depth = 0; more; depth++) {
                CUDA_CHECK(cudaMemsetAsync(dmore, 0, sizeof *dmore));
                expand<<<grid, block>>>(g.nodes, begin, edge, dlevel, depth, dmore);
                bench_fetch(&more, dmore, 1);
            }
        }
        bench_wait();
    }
    bench_fetch(level, dlevel, g.nodes);
    CUDA_CHECK(cudaFree(begin));
    CUDA_CHECK(cudaFree(edge));
    CUDA_CHECK(cudaFree(dlevel));
    CUDA_CHECK(cudaFree(dmore));
}

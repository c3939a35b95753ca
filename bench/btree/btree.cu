/* Searches in a B+ tree in CUDA: a block for each key, a thread for each key of a node. */
#include "btree.h"

__global__ void search_keys(int height, int count, const node *nodes, const int *values, const int *wanted, int *current,
                            int *next, int *found)
{
    int i = blockIdx.x, j = threadIdx.x;
    if (j == 0) {
        current[i] = next[i] = 0;
        found[i] = -1;
    }
    __syncthreads();
    for (int level = 0; level + 1 < height; level++) {
        if (nodes[current[i]].keys[j] <= wanted[i] && nodes[current[i]].keys[j + 1] > wanted[i])
            if (nodes[next[i]].children[j] < count)
                next[i] = nodes[next[i]].children[j];
        __syncthreads();
        if (j == 0)
            current[i] = next[i];
        __syncthreads();
    }
    if (nodes[current[i]].keys[j] == wanted[i])
        found[i] = values[nodes[current[i]].children[j]];
}

static void search(int n, int height, int count, const node *nodes, int records, const int *values, const int *wanted,
                   int *, int *, int *found, bench_timer *t)
{
    node *dnodes = bench_device(nodes, count);
    int *dvalues = bench_device(values, records), *dwanted = bench_device(wanted, n);
    int *current = bench_device<int>(NULL, n), *next = bench_device<int>(NULL, n), *dfound = bench_device<int>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            search_keys<<<n, ORDER>>>(height, count, dnodes, dvalues, dwanted, current, next, dfound);
        bench_wait();
    }
    bench_fetch(found, dfound, n);
    CUDA_CHECK(cudaFree(dnodes));
    CUDA_CHECK(cudaFree(dvalues));
    CUDA_CHECK(cudaFree(dwanted));
    CUDA_CHECK(cudaFree(current));
    CUDA_CHECK(cudaFree(next));
    CUDA_CHECK(cudaFree(dfound));
}

/* Searches in a B+ tree, in OpenACC as ports of such programs have it: of the lanes of a gang one finds the node's child, and writes
 * it to where all of them read it. */
#include "btree.h"

static void search(int n, int height, int count, const node *restrict nodes, int records, const int *restrict values,
                   const int *restrict wanted, int *restrict current, int *restrict next, int *restrict found, bench_timer *t)
{
#pragma acc data copyin(nodes[:count], values[:records], wanted[:n]) create(current[:n], next[:n]) copyout(found[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop gang vector_length(ORDER) async(1)
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                current[i] = next[i] = 0;
                found[i] = -1;
                for (int level = 0; level + 1 < height; level++) {
#pragma acc loop vector
                    for (int j = 0; j < ORDER; j++)
                        if (nodes[current[i]].keys[j] <= wanted[i] && nodes[current[i]].keys[j + 1] > wanted[i])
                            if (nodes[next[i]].children[j] < count)
                                next[i] = nodes[next[i]].children[j];
                    current[i] = next[i];
                }
#pragma acc loop vector
                for (int j = 0; j < ORDER; j++)
                    if (nodes[current[i]].keys[j] == wanted[i])
                        found[i] = values[nodes[current[i]].children[j]];
            }
        }
#pragma acc wait
    }
}

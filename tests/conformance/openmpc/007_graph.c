// Rodinia BFS: structures, bytes as flags, and a flag that any iteration may set, on the heap.
#include "../check.h"
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int begin, edges;
};

int main(void)
{
    int n = 3001, edges = 0, steps = 0;
    struct node *nodes = malloc(sizeof *nodes * n);
    bool *frontier = calloc(n, 1), *next = calloc(n, 1), *seen = calloc(n, 1);
    int *target = malloc(sizeof(int) * n * 3), *cost = malloc(sizeof(int) * n), *want = malloc(sizeof(int) * n);
    for (int i = 0; i < n; i++) {
        nodes[i].begin = edges;
        nodes[i].edges = 1 + i % 3;
        for (int k = 0; k < 1 + i % 3; k++)
            target[edges++] = (i * 7 + k * 131 + 1) % n;
        cost[i] = want[i] = -1;
    }
    frontier[0] = seen[0] = true;
    cost[0] = want[0] = 0;
    bool more;
    do {
        more = false;
#pragma omp parallel for
        for (int from = 0; from < n; from++)
            if (frontier[from]) {
                frontier[from] = false;
                for (int i = nodes[from].begin; i < nodes[from].edges + nodes[from].begin; i++) {
                    int to = target[i];
                    if (!seen[to]) {
                        cost[to] = cost[from] + 1;
                        next[to] = true;
                    }
                }
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            if (next[i]) {
                frontier[i] = true;
                seen[i] = true;
                more = true;
                next[i] = false;
            }
        steps++;
    } while (more);
    for (int level = 0; level < steps; level++)
        for (int i = 0; i < n; i++)
            for (int k = nodes[i].begin; want[i] == level && k < nodes[i].begin + nodes[i].edges; k++)
                if (want[target[k]] < 0)
                    want[target[k]] = level + 1;
    for (int i = 0; i < n; i++)
        check_int("cost", i, cost[i], want[i]);
    check_true("steps", steps > 5);
    free(nodes), free(frontier), free(next), free(seen), free(target), free(cost), free(want);
    return finish();
}

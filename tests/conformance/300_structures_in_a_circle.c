// expect: launches=1
// A structure that points to one that holds it.
#include "check.h"

struct Graph;
struct Node {
    struct Graph *of;
    double weight[2];
};
struct Pair {
    struct Node first, second;
    int count;
};
struct Graph {
    int size;
    struct Pair pair;
    double sum;
};

int main(void)
{
    struct Node nodes[8];
    struct Graph graphs[8];
    for (int i = 0; i < 8; i++) {
        nodes[i] = (struct Node){&graphs[i], {i, 2 * i}};
        graphs[i] = (struct Graph){i, {nodes[i], nodes[i], i + 3}, 0};
    }
#pragma acc parallel loop copy(graphs) copyin(nodes)
    for (int i = 0; i < 8; i++) {
        const struct Pair *pair = &graphs[i].pair;
        graphs[i].sum = nodes[i].weight[1] + pair->second.weight[0] + pair->count + graphs[i].size;
    }
    for (int i = 0; i < 8; i++) check_near("sum", i, graphs[i].sum, 5.0 * i + 3, 0);
    return finish();
}

/* BFS in CUDA, a node a thread, as Rodinia's: the flag goes there and back in each round. */
#define FRAME_MAIN
#include "bfs.h"

static struct Node *dnodes;
static int *dedges, *dcost;
static char *dmask, *dnext, *dvisited, *dstop;

__global__ void begin(int n, char *mask, char *next, char *visited, int *cost)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        mask[i] = visited[i] = i == 0;
        next[i] = 0;
        cost[i] = i == 0 ? 0 : -1;
    }
}

__global__ void expand(int n, const struct Node *nodes, const int *edges, char *mask, char *next, const char *visited, int *cost)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && mask[i]) {
        mask[i] = 0;
        for (int k = nodes[i].starting; k < nodes[i].starting + nodes[i].no_of_edges; k++)
            if (!visited[edges[k]]) {
                cost[edges[k]] = cost[i] + 1;
                next[edges[k]] = 1;
            }
    }
}

__global__ void settle(int n, char *mask, char *next, char *visited, char *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && next[i]) {
        mask[i] = visited[i] = 1;
        *stop = 1;
        next[i] = 0;
    }
}

LINKAGE void to_device(void)
{
    put(dnodes, h_graph_nodes, no_of_nodes);
    put(dedges, h_graph_edges, edge_list_size);
    room(dcost, no_of_nodes);
    room(dmask, no_of_nodes);
    room(dnext, no_of_nodes);
    room(dvisited, no_of_nodes);
}

LINKAGE void compute(void)
{
    unsigned blocks = bench_blocks(no_of_nodes, 256);
    char stop;
    begin<<<blocks, 256>>>(no_of_nodes, dmask, dnext, dvisited, dcost);
    do {
        stop = 0;
        put(dstop, &stop, 1);
        expand<<<blocks, 256>>>(no_of_nodes, dnodes, dedges, dmask, dnext, dvisited, dcost);
        settle<<<blocks, 256>>>(no_of_nodes, dmask, dnext, dvisited, dstop);
        get(&stop, dstop, 1);
    } while (stop);
}

LINKAGE void from_device(void) { get(h_cost, dcost, no_of_nodes); }

/* Input and check of BFS: how far nodes of a graph are from the first (after Rodinia). */
#include "../frame.h"

struct Node {
    int starting;
    int no_of_edges;
};

static int no_of_nodes, edge_list_size, *h_graph_edges, *h_cost;
static struct Node *h_graph_nodes;
static char *h_graph_mask, *h_updating_graph_mask, *h_graph_visited;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_bfs", "", bench_arg(argc, argv, 2, 1), 0};
    no_of_nodes = bench_arg(argc, argv, 1, 10000);
    h_graph_nodes = (struct Node *)bench_alloc(no_of_nodes, sizeof *h_graph_nodes);
    h_graph_mask = (char *)bench_alloc(no_of_nodes, 1);
    h_updating_graph_mask = (char *)bench_alloc(no_of_nodes, 1);
    h_graph_visited = (char *)bench_alloc(no_of_nodes, 1);
    h_cost = (int *)bench_alloc(no_of_nodes, sizeof(int));
    edge_list_size = 0;
    for (int i = 0; i < no_of_nodes; i++)
        edge_list_size += 2 + (int)(8 * noise(i, 1));
    h_graph_edges = (int *)bench_alloc(edge_list_size, sizeof(int));
    snprintf(facts.size, sizeof facts.size, "%d", no_of_nodes);
    return facts;
}

LINKAGE void input(void)
{
    int at = 0;
    for (int i = 0; i < no_of_nodes; i++) {
        int edges = 2 + (int)(8 * noise(i, 1));
        h_graph_nodes[i].starting = at;
        h_graph_nodes[i].no_of_edges = edges;
        for (int k = 0; k < edges; k++, at++)
            h_graph_edges[at] = k == 0 ? (i + 1) % no_of_nodes : (int)(no_of_nodes * noise(at, 2));
    }
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int i = 0; i < no_of_nodes; i++)
        sum += h_cost[i];
    return sum;
}

LINKAGE double check(void)
{
    double error = 0;
    int *want = (int *)bench_alloc(no_of_nodes, sizeof *want), *queue = (int *)bench_alloc(no_of_nodes, sizeof *queue);
    int first = 0, last = 1;
    for (int i = 0; i < no_of_nodes; i++)
        want[i] = -1;
    want[0] = queue[0] = 0;
    for (; first < last; first++) {
        struct Node node = h_graph_nodes[queue[first]];
        for (int k = node.starting; k < node.starting + node.no_of_edges; k++)
            if (want[h_graph_edges[k]] < 0) {
                want[h_graph_edges[k]] = want[queue[first]] + 1;
                queue[last++] = h_graph_edges[k];
            }
    }
    for (int i = 0; i < no_of_nodes; i++)
        error = bench_worst(error, h_cost[i], want[i], 1.0);
    free(want);
    free(queue);
    return error;
}

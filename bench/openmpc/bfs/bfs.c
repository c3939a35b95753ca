/* BFS for a CPU, as Rodinia has it: two shared loops in each round, and a flag that any thread may set. */
#define FRAME_MAIN
#include "bfs.h"
#include <stdbool.h>

void compute(void)
{
    int k = 0, i;
#pragma omp parallel for
    for (i = 0; i < no_of_nodes; i++) {
        h_graph_mask[i] = i == 0;
        h_updating_graph_mask[i] = 0;
        h_graph_visited[i] = i == 0;
        h_cost[i] = i == 0 ? 0 : -1;
    }
    bool stop;
    do {
        /* if no thread changes this value then the loop stops */
        stop = false;
#pragma omp parallel for
        for (int tid = 0; tid < no_of_nodes; tid++) {
            if (h_graph_mask[tid] == true) {
                h_graph_mask[tid] = false;
                for (int i = h_graph_nodes[tid].starting;
                     i < (h_graph_nodes[tid].no_of_edges + h_graph_nodes[tid].starting); i++) {
                    int id = h_graph_edges[i];
                    if (!h_graph_visited[id]) {
                        h_cost[id] = h_cost[tid] + 1;
                        h_updating_graph_mask[id] = true;
                    }
                }
            }
        }
#pragma omp parallel for
        for (int tid = 0; tid < no_of_nodes; tid++) {
            if (h_updating_graph_mask[tid] == true) {
                h_graph_mask[tid] = true;
                h_graph_visited[tid] = true;
                stop = true;
                h_updating_graph_mask[tid] = false;
            }
        }
        k++;
    } while (stop);
}

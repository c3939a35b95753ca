// Edges of the nodes of several graphs, under collapse: a launch chooses how many lanes a node has. The counters' last values are the
// program's.
// expect-remark: Schedule lanes: grid\(row:x\)
// expect: launches=3
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>

#define N 200
#define G 3

int main(void)
{
    int *start = malloc((N + 1) * sizeof *start), *to = malloc(N * 30 * sizeof *to), i, g;
    float *weight = malloc(G * N * sizeof *weight), *most = malloc(G * N * sizeof *most);
    start[0] = 0;
    for (i = 0; i < N; i++) {
        start[i + 1] = start[i] + i * 11 % 29;
        for (int k = start[i]; k < start[i + 1]; k++)
            to[k] = k * 17 % N;
    }
    for (i = 0; i < G * N; i++)
        weight[i] = i * 31 % 97;
    for (int turn = 0; turn < 3; turn++) {
        int n = N - turn;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(g, i) map(to : start[0 : N + 1], to[0 : N * 30], weight[0 : G * N]) \
    map(from : most[0 : G * N])
        for (g = 0; g < G; g++)
            for (i = 0; i < n; i++) {
                float largest = -1;
                for (int k = start[i]; k < start[i + 1]; k++)
                    largest = weight[g * N + to[k]] > largest ? weight[g * N + to[k]] : largest;
                most[g * N + i] = largest + turn;
            }
        check_int("g", turn, g, G);
        check_int("i", turn, i, n);
        for (int h = 0; h < G; h++)
            for (int j = 0; j < n; j++) {
                float largest = -1;
                for (int k = start[j]; k < start[j + 1]; k++)
                    if (weight[h * N + to[k]] > largest)
                        largest = weight[h * N + to[k]];
                check_near("most", h * N + j, most[h * N + j], largest + turn, 0);
            }
    }
    return finish();
}

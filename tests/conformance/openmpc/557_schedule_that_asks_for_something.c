// A schedule of the user's for loops of unknown length asks something of a launch without having a name for it; the variant for
// other launches stands beside it.
// expect: launches=1
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 300
#define M 34

static int found[N];

int main(int argc, char **argv)
{
    float **rows = malloc(N * sizeof(float *)), *block = malloc(N * M * sizeof(float)), ***sums;
    int m = argc > 3 ? 1 : M;
    (void)argv;
    int threads = omp_get_max_threads();
    sums = malloc(threads * sizeof *sums);
    for (int i = 0; i < N; i++) {
        rows[i] = block + i * M;
        for (int j = 0; j < m; j++)
            rows[i][j] = i % 3;
    }
    for (int t = 0; t < threads; t++) {
        sums[t] = malloc(3 * sizeof **sums);
        for (int k = 0; k < 3; k++)
            sums[t][k] = calloc(M, sizeof ***sums);
    }
#pragma omp parallel
    {
        int own = omp_get_thread_num();
#pragma cuda gpurun noloopcollapse
#pragma omp for
        for (int i = 0; i < N; i++) {
            float sum = 0;
            for (int j = 0; j < m; j++)
                sum += rows[i][j];
            found[i] = (int)(sum / M);
            for (int j = 0; j < m; j++)
                sums[own][found[i]][j] += rows[i][j];
        }
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < m; j++) {
            float total = 0;
            for (int t = 0; t < threads; t++)
                total += sums[t][k][j];
            check_near("total", k * M + j, total, k * N / 3, 0);
        }
    for (int i = 0; i < N; i++)
        check_int("found", i, found[i], i % 3);
    return finish();
}

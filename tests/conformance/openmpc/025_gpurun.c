// OpenMPC's clauses for blocks, threads and the order of loops: in a region's directive, and in that of a loop in it.
// expect: launches=4
// expect-remark: Schedule plain: grid\(i:x\) block\(64\)
// expect-remark: loop gang\(16\), vector\(64\)
// expect-remark: Schedule plain: grid\(i:x, j:y\)
// expect-remark: texture has no effect: always, where arrays do not overlap
// expect-remark: noreductionunroll has no effect: always: warps combine by shuffles
// expect-remark: c2gmemtr has no effect: always: the running program copies what is stale
#include "../check.h"

#define N 100
#define M 60

static double a[N][M], b[N][M], c[N * M];

int main(void)
{
    int i, j;
    double sum = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            a[i][j] = i + j;
#pragma cuda ainfo procname(main) kernelid(0)
#pragma cuda gpurun noloopcollapse, threadblocksize(64) texture(a) c2gmemtr(a)
#pragma omp parallel for private(j)
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            b[i][j] = 2 * a[i][j];
#pragma cuda gpurun noploopswap noregister(b)
#pragma omp parallel for collapse(2)
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            a[i][j] = b[i][j] + 1;
#pragma cuda gpurun maxnumofblocks(16)
#pragma omp parallel private(i)
    {
#pragma cuda gpurun threadblocksize(64)
#pragma omp for
        for (i = 0; i < N * M; i++)
            c[i] = a[i / M][i % M];
#pragma cuda gpurun noreductionunroll
#pragma omp for reduction(+ : sum)
        for (i = 0; i < N * M; i++)
            sum += c[i];
    }
    double want = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            check_near("a", i * M + j, a[i][j], 2 * (i + j) + 1, 0);
            want += 2 * (i + j) + 1;
        }
    check_near("sum", 0, sum, want, 1e-9);
    return finish();
}

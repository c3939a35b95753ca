/* Sweeps through a block in OpenACC, as NAS LU has them: a launch for each plane i + j + k, over the rows
 * (k, j) that may have an element in it. */
#include "wavefront.h"

/* Elements with i + j + k == plane, from the neighbours `from` away: 1 behind, -1 ahead. */
static void relax(int n, int plane, int from, double *restrict v)
{
    int first = plane - 2 * (n - 2) > 1 ? plane - 2 * (n - 2) : 1;
    int last = plane - 2 < n - 2 ? plane - 2 : n - 2;
#pragma acc parallel loop collapse(2) present(v[:n * n * n]) async(1)
#pragma omp parallel for collapse(2)
    for (int k = first; k <= last; k++)
        for (int j = first; j <= last; j++) {
            int i = plane - k - j;
            if (i >= 1 && i <= n - 2) {
                int at = (k * n + j) * n + i;
                v[at] = OWN * v[at] + SHARE * (v[at - from] + v[at - from * n] + v[at - from * n * n]);
            }
        }
}

static void wavefront(int n, int sweeps, const double *restrict start, double *restrict v, bench_timer *t)
{
    const int elements = n * n * n;
#pragma acc data copyin(start[:elements]) copyout(v[:elements])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (int i = 0; i < elements; i++)
                v[i] = start[i];
            for (int s = 0; s < sweeps; s++) {
                for (int plane = 3; plane <= 3 * (n - 2); plane++)
                    relax(n, plane, 1, v);
                for (int plane = 3 * (n - 2); plane >= 3; plane--)
                    relax(n, plane, -1, v);
            }
        }
#pragma acc wait
    }
}

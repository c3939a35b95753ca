// Regions that cannot become kernels stay with the host's threads, and their values are right beside those of kernels.
// expect: launches=1
#include "../check.h"
#include <omp.h>

#define N 500

static int a[N], b[N], seen[64];
static int chain[N];

int main(void)
{
    int i, last = 0, order = 0;
    // Each thread has a part of its own.
#pragma omp parallel private(i)
    {
        int n = omp_get_num_threads(), me = omp_get_thread_num();
        for (i = N * me / n; i < N * (me + 1) / n; i++)
            a[i] = i;
        seen[me % 64] = 1;
    }
#pragma omp parallel for
    for (i = 0; i < N; i++)
        b[i] = a[i] * 2;
#pragma omp parallel
    {
        int counter = 0;
#pragma omp for schedule(static)
        for (i = 0; i < N; i++) {
            // What an iteration leaves to the next one of its thread.
            counter = counter + i % 3;
            chain[i] = counter > 0;
        }
#pragma omp critical
        last += counter;
    }
#pragma omp parallel for ordered
    for (i = 0; i < N; i++) {
#pragma omp ordered
        order = order * 3 % 1000 + i;
    }
#pragma omp parallel for
    for (i = 0; i < N; i++) {
#pragma omp critical
        {
            order = order % 7;
            order = order + 7;
        }
    }
    int want = 0;
    for (i = 0; i < N; i++) {
        check_int("a", i, a[i], i);
        check_int("b", i, b[i], 2 * i);
        want += i % 3;
    }
    check_int("sum", 0, last, want);
    check_int("thread 0", 0, seen[0], 1);
    check_true("order", order >= 7 && order < 14);
    return finish();
}

// The host compiler's own OpenMP beside constructs for devices: parallel loops, threads that each launch kernels, tasks.
// expect: launches=5
#include "../check.h"
#include <omp.h>

#define N 400

static int a[4][N], total;

int main(void)
{
#pragma omp parallel for num_threads(4)
    for (int t = 0; t < 4; t++) {
#pragma omp target teams distribute parallel for map(tofrom: a[t:1])
        for (int i = 0; i < N; i++)
            a[t][i] = t + i;
    }
    int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    {
        threads += omp_get_num_threads() == 3;
#pragma omp single
        {
#pragma omp target parallel for reduction(+ : total)
            for (int i = 0; i < N; i++)
                total += i;
        }
    }
    check_int("threads", 0, threads, 3);
    check_int("total", 0, total, N * (N - 1) / 2);
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < N; i++)
            check_int("a", t * N + i, a[t][i], t + i);
    return finish();
}

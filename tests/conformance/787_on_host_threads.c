// Threads of the host whose constructs the host runs at the same time: one after the other, so each finds what is right.
// flags: -fopenmp
// needs: separate
// expect: launches=0
#include "check.h"

#define N 1000

static int plus(int a, int b) { return a + b; }

static int a[N], sums[4];

int main(void)
{
    int (*volatile add)(int, int) = plus;
#pragma acc enter data copyin(a, sums)
    for (int i = 0; i < N; i++)
        a[i] = -1;
#pragma omp parallel for num_threads(4)
    for (int t = 0; t < 4; t++)
        for (int times = 0; times < 25; times++) {
#pragma acc parallel loop present(a, sums)
            for (int i = t; i < N; i += 4) {
                a[i] = add(a[i], 1);
                sums[t] += 1;
            }
        }
    for (int i = 0; i < N; i++)
        check_int("stale", i, a[i], -1);
#pragma acc exit data copyout(a, sums)
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 25);
    for (int t = 0; t < 4; t++)
        check_int("sums", t, sums[t], 25 * N / 4);
    return finish();
}

// Threads of the host read and write neighbouring elements of pages that the device has newer: often another thread has
// brought the page for reading, and then for writing, before the own access is looked at.
// expect: launches=100
#include "../check.h"
#include <omp.h>

#define N 20000
static double a[N];

int main(void)
{
    for (int round = 0; round < 100; round++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma omp parallel
        {
            int own = omp_get_thread_num(), many = omp_get_num_threads();
            for (int i = own; i < N; i += many)
                a[i] += 2;
        }
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], 300, 0);
    return finish();
}

// A construct whose condition is false has one thread, whatever host threads are around it: OpenMP 5.2 §13.8.
#include "../check.h"
#include <omp.h>

#define THREADS 4

static int number(void)
{
    return omp_get_thread_num();
}

int main(void)
{
    int numbers[THREADS], counts[THREADS], outer[THREADS];
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num();
        int thread = -1, threads = -1;
#pragma omp target if (me < 0) map(from: thread, threads)
        {
            thread = number();
            threads = omp_get_num_threads();
        }
        numbers[me] = thread;
        counts[me] = threads;
        outer[me] = omp_get_num_threads();
    }
    for (int t = 0; t < THREADS; t++) {
        check_int("number", t, numbers[t], 0);
        check_int("threads", t, counts[t], 1);
        check_int("around", t, outer[t], THREADS);
    }
    return finish();
}

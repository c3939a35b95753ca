// What a thread has for itself outlives barriers where only a clause names it, and is the same in a block that one of the threads runs.
// expect: launches=2
#include <omp.h>
#include "../check.h"

#define T 8

int main(void)
{
    int seen[T] = {0}, sum = 0, threads = 0;
#pragma omp target map(tofrom: seen, sum, threads)
#pragma omp parallel num_threads(T)
    {
        int t = omp_get_thread_num(), u = t * 3 + seen[t], chosen = seen[0] + 1;
#pragma omp masked
        {
            threads = omp_get_num_threads();
            seen[t] = u + 5;
            u++;
        }
#pragma omp barrier
#pragma omp atomic
        sum += u;
        u = t + 1;
#pragma omp barrier
#pragma omp masked filter(u > 0 ? 2 : 1)
        {
            seen[t] = u;
            u += 100;
        }
#pragma omp masked filter(chosen)
        seen[1] = 7;
#pragma omp barrier
#pragma omp atomic
        sum += u;
    }
    check_int("threads", 0, threads, T);
    for (int t = 0; t < T; t++)
        check_int("seen", t, seen[t], t == 0 ? 5 : t == 1 ? 7 : t == 2 ? 3 : 0);
    check_int("sum", 0, sum, 3 * 28 + 1 + 28 + T + 100);

    int given[T];
#pragma omp target map(from: given)
#pragma omp parallel num_threads(T)
    {
        int t = omp_get_thread_num(), kept = t;
#pragma omp masked filter(t)
        given[t] = 0;
#pragma omp single copyprivate(t)
        t = 42;
        given[kept] = t;
    }
    for (int t = 0; t < T; t++)
        check_int("given", t, given[t], 42);
    return finish();
}

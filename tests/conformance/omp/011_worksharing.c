// In a parallel block: loops whose iterations its threads share, single, masked, critical, sections, and a nested parallel.
// expect: launches=3
#include "../check.h"
#include <omp.h>

#define N 300
#define THREADS 32

static int owner[N], a[N], b[N], turns[N], counts[8];

int main(void)
{
    int threads = 0, sum = 0, nested = -1;
#pragma omp target map(from: owner, a, b) map(tofrom: threads, sum, nested, turns, counts)
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(static, 1)
        for (int i = 0; i < N; i++)
            owner[i] = me;
#pragma omp for
        for (int i = 0; i < N; i++)
            a[i] = 3 * i;
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp masked
        counts[0] += 1 + me;
#pragma omp critical
        sum += me;
#pragma omp barrier
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i] + sum;
#pragma omp sections
        {
#pragma omp section
            counts[1]++;
#pragma omp section
            counts[2]++;
        }
#pragma omp loop
        for (int i = 0; i < N; i++)
            turns[i]++;
#pragma omp atomic
        counts[3]++;
        if (me == 5) {
#pragma omp parallel
            nested = omp_get_thread_num() + 10 * omp_get_num_threads();
        }
    }
    check_int("threads", 0, threads, THREADS);
    check_int("sum", 0, sum, THREADS * (THREADS - 1) / 2);
    check_int("nested", 0, nested, 10);
    for (int i = 0; i < N; i++) {
        check_int("owner", i, owner[i], i % THREADS);
        check_int("a", i, a[i], 3 * i);
        check_int("b", i, b[i], 3 * (N - 1 - i) + sum);
        check_int("turns", i, turns[i], 1);
    }
    check_int("masked", 0, counts[0], 1);
    check_int("sections", 0, counts[1], 1);
    check_int("sections", 1, counts[2], 1);
    check_int("atomic", 0, counts[3], THREADS);

    int total = 0;
#pragma omp target parallel num_threads(THREADS) map(tofrom: total) reduction(+ : total)
    {
        int mine = omp_get_thread_num() + 1;
        total += mine;
    }
    check_int("total", 0, total, THREADS * (THREADS + 1) / 2);

    int device = -1, inside = -1;
#pragma omp target map(from: device, inside)
    {
        device = omp_is_initial_device();
        inside = omp_get_thread_num() + omp_get_num_threads() + omp_get_team_num() + 10 * omp_get_num_teams();
    }
    check_int("device", 0, device, 0);
    check_int("inside", 0, inside, 11);
    return finish();
}

// `parallel masked` in device code: one thread of those that there are runs the block (OpenMP 5.2 §10.5, §17.3).
// expect: launches=3
#include "../check.h"
#include <omp.h>

int main(void)
{
    int runs = 0, threads = 0, number = -1, older = 0;
#pragma omp target map(tofrom: runs, threads)
#pragma omp parallel masked num_threads(4)
    {
        runs++;
        threads += omp_get_num_threads();
    }
    check_int("runs", 0, runs, 1);
    check_int("threads", 0, threads, 4);

    int which = 2;
#pragma omp target map(tofrom: number, older)
    {
#pragma omp parallel masked num_threads(4) filter(which)
        number = omp_get_thread_num();
#pragma omp parallel master num_threads(2)
        older += omp_get_num_threads();
    }
    check_int("number", 0, number, 2);
    check_int("older", 0, older, 2);

    int counts[3] = {0, 0, 0};
#pragma omp target teams num_teams(3) map(tofrom: counts)
    {
        int team = omp_get_team_num();
#pragma omp parallel masked num_threads(8) firstprivate(team)
        counts[team] += 1 + omp_get_thread_num();
    }
    for (int i = 0; i < 3; i++)
        check_int("counts", i, counts[i], 1);
    return finish();
}

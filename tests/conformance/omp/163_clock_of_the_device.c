// `omp_get_wtime` and `omp_get_wtick` in device code: OpenMP 5.2 §18.10.
// expect: launches=3
#include "../check.h"
#include <omp.h>

#pragma omp begin declare target
static double since(double start) { return omp_get_wtime() - start; }
#pragma omp end declare target

int main(void)
{
    double begin = 0, end = 0, tick = 0, sum = 0, host = omp_get_wtime();
#pragma omp target map(from: begin, end, tick) map(tofrom: sum)
    {
        begin = omp_get_wtime();
        for (int i = 1; i < 100000; i++)
            sum += 1.0 / i;
        end = omp_get_wtime();
        tick = omp_get_wtick();
    }
    host = omp_get_wtime() - host;
    check_true("end > begin", end > begin);
    check_true("end - begin <= host", end - begin <= host + 1e-5);
    check_true("sum > 12", sum > 12);
    check_true("tick", tick > 0 && tick <= 1e-6);

    double each[64];
    int teams = 0, threads = 0;
#pragma omp target teams num_teams(4) thread_limit(16) map(from: each, teams, threads)
    {
#pragma omp parallel num_threads(16)
        {
            double start = omp_get_wtime();
            each[omp_get_team_num() * 16 + omp_get_thread_num()] = since(start);
            if (omp_get_team_num() == 0 && omp_get_thread_num() == 0) {
                teams = omp_get_num_teams();
                threads = omp_get_num_threads();
            }
        }
    }
    check_int("teams", 0, teams, 4);
    check_int("threads", 0, threads, 16);
    for (int i = 0; i < 64; i++)
        check_true("each[i] is a time", each[i] >= 0 && each[i] < 10);

    /* A wait of a millisecond in each iteration. */
#pragma omp target teams distribute parallel for map(from: each)
    for (int i = 0; i < 8; i++) {
        double start = omp_get_wtime();
        while (since(start) < 1e-3)
            ;
        each[i] = since(start);
    }
    for (int i = 0; i < 8; i++)
        check_true("each[i] >= 1e-3", each[i] >= 1e-3 && each[i] < 10);
    return finish();
}

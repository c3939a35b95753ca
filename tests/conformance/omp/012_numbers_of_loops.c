// Loops that ask for the numbers of teams and threads; each iteration runs once, on the team and thread that it names.
// expect: launches=3
#include "../check.h"
#include <omp.h>

#define N 1001

static int team_of[N], thread_of[N], runs[N], teams, threads;

static void check(const char *what, int limit)
{
    check_true(what, teams >= 1 && teams <= limit);
    for (int i = 0; i < N; i++) {
        check_int(what, i, runs[i], 1);
        check_true("team", team_of[i] >= 0 && team_of[i] < teams);
        check_true("thread", thread_of[i] >= 0 && thread_of[i] < threads);
        runs[i] = 0;
    }
}

int main(void)
{
#pragma omp target data map(tofrom: team_of, thread_of, runs, teams, threads)
    {
#pragma omp target teams distribute parallel for num_teams(6) thread_limit(64) map(tofrom: teams, threads)
        for (int i = 0; i < N; i++) {
            team_of[i] = omp_get_team_num();
            thread_of[i] = omp_get_thread_num();
            runs[i]++;
            teams = omp_get_num_teams();
            threads = omp_get_num_threads();
        }
#pragma omp target update from(team_of, thread_of, runs, teams, threads)
        check("combined", 6);
#pragma omp target update to(runs)
#pragma omp target teams num_teams(4) map(tofrom: teams, threads)
#pragma omp distribute
        for (int i = 0; i < N; i++) {
            team_of[i] = omp_get_team_num();
            thread_of[i] = omp_get_thread_num();
            runs[i]++;
            teams = omp_get_num_teams();
            threads = omp_get_num_threads();
        }
#pragma omp target update from(team_of, thread_of, runs, teams, threads)
        check("distribute", 4);
#pragma omp target update to(runs)
#pragma omp target parallel for num_threads(16) map(tofrom: teams, threads)
        for (int i = N - 1; i >= 0; i -= 1) {
            team_of[i] = omp_get_team_num();
            thread_of[i] = omp_get_thread_num();
            runs[i]++;
            teams = omp_get_num_teams();
            threads = omp_get_num_threads();
        }
#pragma omp target update from(team_of, thread_of, runs, teams, threads)
        check("parallel for", 1);
    }
    return finish();
}

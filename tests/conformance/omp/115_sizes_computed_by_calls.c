// Numbers of teams and threads that functions compute, where the construct asks for them and where it does not.
// expect: launches=4
// needs: runtime
#include "../check.h"
#include <omp.h>

static int half(int n)
{
    return n / 2;
}

int main(void)
{
    int n = 8, teams = -1, limited = -1, threads = -1, sum = 0, seen[64] = {0};
#pragma omp target teams num_teams(half(n)) thread_limit(16) map(from : teams)
    if (omp_get_team_num() == 0)
        teams = omp_get_num_teams();
    check_true("teams", teams == 4);
#pragma omp target teams num_teams(omp_get_num_devices() >= 0 ? 3 : 5) thread_limit(half(half(n))) map(from : limited)
    if (omp_get_team_num() == 0)
        limited = 10 * omp_get_num_teams() + omp_get_thread_limit();
    check_true("teams and their limit", limited == 32);
    if (n > 0)
#pragma omp target parallel num_threads(half(n)) map(tofrom : seen, threads)
    {
        seen[omp_get_thread_num()] = 1;
#pragma omp single
        threads = omp_get_num_threads();
    }
    check_true("threads", threads == 4 && seen[0] && seen[3] && !seen[4]);
#pragma omp target teams distribute parallel for num_teams(half(4 * n)) reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += i;
    check_true("a sum", sum == 499500);
    return finish();
}

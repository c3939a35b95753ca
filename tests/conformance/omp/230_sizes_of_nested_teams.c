// Numbers of teams and threads that functions compute, of a `teams` that is all that its `target` holds.
#include "../check.h"

#include <omp.h>

static int five(int n)
{
    return n + 5;
}
#pragma omp declare target(five)

int main(void)
{
    int teams = 0, limit = 0, ran[900] = {0};
#pragma omp target map(from: teams, limit)
#pragma omp teams num_teams(five(0) + 1) thread_limit(five(-1))
    if (omp_get_team_num() == 0) {
        teams = omp_get_num_teams();
        limit = omp_get_thread_limit();
    }
    check_int("teams", 0, teams, 6);
    check_int("limit", 0, limit, 4);
#pragma omp target map(tofrom: ran)
    {
#pragma omp teams num_teams(five(895)) // 900
        ran[omp_get_team_num()] += omp_get_num_teams();
    }
    for (int i = 0; i < 900; i++)
        check_int("ran", i, ran[i], 900);
#pragma omp target
#pragma omp teams distribute parallel for num_teams(five(2)) num_threads(five(3)) reduction(+: teams)
    for (int i = 0; i < 100; i++)
        teams += 1;
    check_int("teams", 1, teams, 106);
    return finish();
}

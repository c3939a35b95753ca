// What a team changes of a firstprivate variable no other team sees: scalars, arrays, structures.
// expect: launches=1
#include "../check.h"
#include <omp.h>

#define TEAMS 40

struct pair {
    int first;
    double second[2];
};

int main(void)
{
    int x = 5, t[2][3] = {{1, 2, 3}, {4, 5, 6}};
    struct pair p = {7, {0.5, 1.5}};
    double got[TEAMS];
#pragma omp target teams num_teams(TEAMS) thread_limit(32) firstprivate(x, t, p) map(from : got)
    {
        int team = omp_get_team_num();
        x += team;
        t[1][2] += x;
        p.first += team;
        p.second[1] *= 2;
        got[team] = x + 100 * t[1][2] + 1000 * t[0][1] + p.first + p.second[1];
    }
    for (int i = 0; i < TEAMS; i++)
        check_true("got[i] == (5 + i) + 100 * (6 + 5 + i) + 2000 + (7 + i) + 3", got[i] == (5 + i) + 100 * (6 + 5 + i) + 2000 + (7 + i) + 3);
    check_true("x == 5 && t[1][2] == 6 && p.first == 7 && p.second[1] == 1.5", x == 5 && t[1][2] == 6 && p.first == 7 && p.second[1] == 1.5);
    return finish();
}

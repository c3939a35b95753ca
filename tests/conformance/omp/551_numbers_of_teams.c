// What a team reads of a number that its construct reduces is its own, whoever of its threads changed it (OpenMP 5.2, 5.5.8).
// expect: launches=3
#include "../check.h"
#include <omp.h>

int main()
{
    int s = 0, after[4] = {0}, x[64] = {0}, seen[4][8] = {{0}};
#pragma omp target teams num_teams(4) thread_limit(8) reduction(+ : s) map(tofrom : s, after, x)
    {
        int t = omp_get_team_num();
#pragma omp parallel num_threads(8)
        {
#pragma omp atomic
            s += 2;
#pragma omp barrier
            x[t * 8 + omp_get_thread_num()] = s;
        }
        after[t] = s;
    }
    int teams = 0;
    for (int t = 0; t < 4; t++)
        teams += after[t] != 0;
    check_int("s", 0, s, 16 * teams);
    for (int t = 0; t < teams; t++) {
        check_int("after", t, after[t], 16);
        for (int k = 0; k < 8; k++)
            check_int("x", t * 8 + k, x[t * 8 + k], 16);
    }
    int q = 0;
#pragma omp target teams num_teams(4) thread_limit(8) reduction(+ : q) map(tofrom : q, seen)
    {
        int t = omp_get_team_num();
#pragma omp parallel num_threads(8)
        {
            int v;
#pragma omp atomic capture
            v = q++;
#pragma omp atomic
            seen[t][v]++;
        }
    }
    for (int t = 0; t < teams; t++)
        for (int k = 0; k < 8; k++)
            check_int("seen", t * 8 + k, seen[t][k], 1);
    check_int("q", 0, q, 8 * teams);
    int r = 0;
#pragma omp target teams num_teams(4) reduction(+ : r) map(tofrom : r, x)
    {
#pragma omp parallel for
        for (int i = 0; i < 16; i++) {
#pragma omp atomic
            r += i;
        }
        if (omp_get_team_num() == 0)
            x[0] = r;
    }
    check_int("x0", 0, x[0], 120);
    check_int("r", 0, r, 120 * teams);
    return finish();
}

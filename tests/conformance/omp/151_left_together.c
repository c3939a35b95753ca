// A team's threads leave a loop with barriers together, by a variable of the thread that they take from the team's, and by loops
// without barriers and `switch`es that each leaves by itself.
// expect: launches=2
#include "../check.h"
#include <omp.h>

#define TEAMS 4

int main(void)
{
    int out[TEAMS] = {0}, sums[TEAMS] = {0};
#pragma omp target teams num_teams(TEAMS) thread_limit(64) map(from : out)
    {
        int left = 3 + omp_get_team_num(), turns = 0;
#pragma omp parallel
        {
            while (1) {
#pragma omp barrier
                int go = left;
#pragma omp barrier
                if (!go)
                    break;
#pragma omp single
                {
                    left--;
                    turns++;
                }
            }
        }
        out[omp_get_team_num()] = turns;
    }
    for (int i = 0; i < TEAMS; i++)
        check_int("turns", i, out[i], 3 + i);

#pragma omp target teams num_teams(TEAMS) thread_limit(64) map(tofrom : sums)
    {
        int team = omp_get_team_num(), last = 0;
#pragma omp parallel
        for (int turn = 0; turn < 10; turn++) {
            int limit = team + 2, own = 0;
            for (int k = 0; k < 100; k++) {
                if (k > omp_get_thread_num() % 3)
                    break;
                switch (k) {
                case 1:
                    own += 2;
                    break;
                default:
                    own++;
                }
            }
#pragma omp atomic
            sums[team] += own > 3 ? 1000 : turn;
#pragma omp barrier
            if (turn == limit)
                break;
            if (turn < limit)
                continue;
#pragma omp single
            last = turn;
        }
        sums[team] = sums[team] / 1000 * 1000 + last;
    }
    for (int i = 0; i < TEAMS; i++)
        check_int("each by itself", i, sums[i] % 1000, 0);
    return finish();
}

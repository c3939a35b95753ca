// Functions that only read are given a team's arrays: a barrier stands between what the threads store and the call.
// expect: launches=1 uploads<=1 downloads<=1
#include "../check.h"
#include <omp.h>
#define TEAMS 64
#define THREADS 32

#pragma omp declare target
static int weighted(const int *row, int first)
{
    int sum = 0;
    for (int k = 0; k < THREADS; k++)
        sum = sum * 3 + row[(first + k) % THREADS];
    return sum;
}
#pragma omp end declare target

int main(void)
{
    static int in[TEAMS * THREADS], out[TEAMS * THREADS];
    for (int i = 0; i < TEAMS * THREADS; i++)
        in[i] = i * 37 % 1001;

#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(to : in) map(from : out)
    {
        int row[THREADS], next[THREADS];
#pragma omp parallel num_threads(THREADS)
        {
            int me = omp_get_thread_num(), at = omp_get_team_num() * THREADS + me;
            row[me] = in[at];
            for (int round = 0; round < 5; round++) {
                row[me] = row[me] % 501 + round;
#pragma omp barrier
                next[me] = weighted(row, me) & 1023;
#pragma omp barrier
                row[me] = next[me];
            }
            out[at] = row[me];
        }
    }

    for (int team = 0; team < TEAMS; team++) {
        int row[THREADS], next[THREADS];
        for (int t = 0; t < THREADS; t++)
            row[t] = in[team * THREADS + t];
        for (int round = 0; round < 5; round++) {
            for (int t = 0; t < THREADS; t++)
                row[t] = row[t] % 501 + round;
            for (int t = 0; t < THREADS; t++)
                next[t] = weighted(row, t) & 1023;
            for (int t = 0; t < THREADS; t++)
                row[t] = next[t];
        }
        for (int t = 0; t < THREADS; t++)
            check_int("rounds", team * THREADS + t, out[team * THREADS + t], row[t]);
    }
    return finish();
}

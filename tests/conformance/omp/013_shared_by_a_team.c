// Scalars of a team, and scalars by value, that its threads share and change in a parallel block.
// expect: launches=2
#include "../check.h"
#include <omp.h>

#define TEAMS 4
#define THREADS 64

int main(void)
{
    int seen[TEAMS][THREADS], sums[TEAMS], largest[TEAMS], reduced[TEAMS];
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(from: seen, sums, largest, reduced)
    {
        int flag = 1, total = 0, most = -1, sum = 3;
#pragma omp parallel num_threads(THREADS)
        {
            int me = omp_get_thread_num();
            if (me == 3)
                flag = 7;
#pragma omp barrier
            seen[omp_get_team_num()][me] = flag;
#pragma omp atomic
            total += me;
#pragma omp critical
            {
                if (me > most)
                    most = me;
            }
#pragma omp barrier
#pragma omp master
            flag = 9;
        }
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            sum += i;
        sums[omp_get_team_num()] = total + flag;
        largest[omp_get_team_num()] = most;
        reduced[omp_get_team_num()] = sum;
    }
    for (int t = 0; t < TEAMS; t++) {
        for (int i = 0; i < THREADS; i++)
            check_int("seen", t * THREADS + i, seen[t][i], 7);
        check_int("sum", t, sums[t], THREADS * (THREADS - 1) / 2 + 9);
        check_int("largest", t, largest[t], THREADS - 1);
        check_int("reduced", t, reduced[t], 4953);
    }

    // Firstprivate: the team's threads share it, the host's stays.
    int chosen = -1, copy[THREADS];
#pragma omp target map(from: copy)
#pragma omp parallel num_threads(THREADS)
    {
        int me = omp_get_thread_num();
        if (me == 20)
            chosen = 2 * me;
#pragma omp barrier
        copy[me] = chosen + me;
    }
    check_int("chosen", 0, chosen, -1);
    for (int i = 0; i < THREADS; i++)
        check_int("copy", i, copy[i], 40 + i);
    return finish();
}

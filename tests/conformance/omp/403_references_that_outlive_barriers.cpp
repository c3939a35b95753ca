// expect: launches=2
// References that threads of a team use behind barriers: to their own variables, to members of these, and to elements of arrays.
#include "../check.h"
#include <omp.h>

struct Pair {
    int first, second;
};

struct Thread {
    int team, number;
    Pair values;
};

static void exchange(const Thread &thread, int *x)
{
    const int number = thread.number;
    x[thread.team * 32 + number] = number;
#pragma omp barrier
    if (thread.number == 0) x[thread.team * 32] = x[thread.team * 32 + 31];
}

int main()
{
    const int teams = 10, threads = 32;
    static int x[teams * threads], y[teams * threads], z[teams * threads], w[teams * threads];
#pragma omp target teams num_teams(teams) thread_limit(threads) map(from : x)
#pragma omp parallel num_threads(threads)
    {
        Thread thread = {omp_get_team_num(), omp_get_thread_num(), {0, 0}};
        exchange(thread, x);
    }
#pragma omp target teams num_teams(teams) thread_limit(threads) map(from : w, y, z)
    {
        int shared[threads];
#pragma omp parallel num_threads(threads)
        {
            Thread thread = {omp_get_team_num(), omp_get_thread_num(), {1, 2}};
            int count = 5;
            Thread &same = thread;
            Pair &pair = same.values;
            int &counted = count, &place = w[thread.team * threads + thread.number];
            shared[(thread.number + 1) % threads] = place = thread.number;
            counted += same.number;
#pragma omp barrier
            pair.second += shared[same.number] + place;
            place += 7;
            counted *= 2;
#pragma omp barrier
            same.values.first += pair.second;
            y[same.team * threads + same.number] = thread.values.first;
            z[same.team * threads + same.number] = count;
        }
    }
    for (int i = 0; i < teams * threads; i++) {
        const int t = i % threads;
        check_near("x", i, x[i], t ? t : threads - 1, 0);
        check_near("y", i, y[i], 3 + (t + threads - 1) % threads + t, 0);
        check_near("w", i, w[i], t + 7, 0);
        check_near("z", i, z[i], 2 * (5 + t), 0);
    }
    return finish();
}

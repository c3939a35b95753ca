// Threads of several teams that look again and again at what others write: a maximal independent set, and a chain through all teams.
// expect: launches=2
#include "../check.h"
#include <omp.h>

#define TEAMS 6
#define SIZE 16
#define N 300

static int is_near(int a, int b)
{
    int d = a - b;
    return d == 1 || d == -1 || d == 17 || d == -17;
}

// 0 undecided, 1 in the set, 2 out of it. A node is decided when all nearer to the front of a shuffled order are.
static void independent_set(void)
{
    int state[N] = {0};
#pragma omp target teams num_teams(TEAMS) thread_limit(SIZE) map(tofrom : state)
#pragma omp parallel num_threads(SIZE)
    {
        const int first = omp_get_team_num() * SIZE + omp_get_thread_num();
        int missing;
        do {
            missing = 0;
            for (int v = first; v < N; v += TEAMS * SIZE) {
                int own;
#pragma omp atomic read
                own = state[v];
                if (own != 0)
                    continue;
                int next = 1, waits = 0;
                for (int w = 0; w < N; w++) {
                    int other;
                    if (!is_near(v, w) || w * 7 % N > v * 7 % N)
                        continue;
#pragma omp atomic read
                    other = state[w];
                    if (other == 1)
                        next = 2;
                    else if (other == 0)
                        waits = 1;
                }
                if (next == 2 || !waits) {
#pragma omp atomic write
                    state[v] = next;
                } else {
                    missing = 1;
                }
            }
        } while (missing);
    }
    for (int v = 0; v < N; v++) {
        int in = 0;
        for (int w = 0; w < N; w++)
            in += is_near(v, w) && state[w] == 1;
        check_true("decided", state[v] == 1 || state[v] == 2);
        check_true("independent", state[v] == 1 ? in == 0 : in > 0);
    }
}

// The last team begins.
static void chain(void)
{
    int ready[TEAMS + 1] = {0}, value[TEAMS + 1] = {0}, sums[TEAMS * SIZE];
    ready[TEAMS] = 1;
#pragma omp target teams num_teams(TEAMS) thread_limit(SIZE) map(tofrom : ready, value) map(from : sums)
    {
        int before;
#pragma omp parallel num_threads(SIZE)
        {
            const int team = omp_get_team_num(), thread = omp_get_thread_num();
            if (thread == 0) {
                int go = 0;
                while (!go) {
#pragma omp atomic read acquire
                    go = ready[team + 1];
                }
                before = value[team + 1];
                value[team] = before + team;
#pragma omp atomic write release
                ready[team] = 1;
            }
#pragma omp barrier
            sums[team * SIZE + thread] = before + thread;
        }
    }
    for (int team = TEAMS - 1, sum = 0; team >= 0; team--) {
        for (int thread = 0; thread < SIZE; thread++)
            check_int("chain", team, sums[team * SIZE + thread], sum + thread);
        check_int("chain", team, value[team], sum += team);
    }
}

int main(void)
{
    independent_set();
    chain();
    return finish();
}

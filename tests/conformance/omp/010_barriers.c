// Blocks that each thread of a team runs: barriers, one in a loop that all threads take alike, variables that outlive them.
// expect: launches=2
#include "../check.h"
#include <omp.h>

#define TEAMS 12
#define THREADS 64
#define N (TEAMS * THREADS * 3)

static float in[N], out[TEAMS];
static int order[TEAMS][THREADS];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = i % 7;
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(to: in) map(from: out)
    {
        float partial[THREADS];
#pragma omp parallel num_threads(THREADS)
        {
            int lane = omp_get_thread_num();
            int first = omp_get_team_num() * omp_get_num_threads() + lane;
            float sum = 0;
            for (int i = first; i < N; i += omp_get_num_teams() * omp_get_num_threads())
                sum += in[i];
            partial[lane] = sum;
#pragma omp barrier
            for (int step = THREADS / 2; step > 0; step >>= 1) {
                if (lane < step)
                    partial[lane] += partial[lane + step];
#pragma omp barrier
            }
            if (lane == 0)
                out[omp_get_team_num()] = partial[0];
        }
    }
    for (int t = 0; t < TEAMS; t++) {
        float sum = 0;
        for (int i = 0; i < N; i++)
            if (i / THREADS % TEAMS == t)
                sum += in[i];
        check_near("out", t, out[t], sum, 1e-6);
    }

    // `kept` is each thread's own and lives across barriers; `left` directs the loop around them.
#pragma omp target teams distribute num_teams(TEAMS) map(from: order)
    for (int team = 0; team < TEAMS; team++) {
        int box[THREADS];
#pragma omp parallel num_threads(THREADS)
        {
            int me = omp_get_thread_num(), kept = me + team, left = 5;
            while (left > 0) {
                box[me] = kept;
#pragma omp barrier
                kept = 2 * box[(me + 1) % THREADS] + left;
#pragma omp barrier
                left--;
            }
            order[team][me] = kept;
        }
    }
    for (int team = 0; team < TEAMS; team++) {
        int kept[THREADS], box[THREADS];
        for (int me = 0; me < THREADS; me++)
            kept[me] = me + team;
        for (int left = 5; left > 0; left--) {
            for (int me = 0; me < THREADS; me++)
                box[me] = kept[me];
            for (int me = 0; me < THREADS; me++)
                kept[me] = 2 * box[(me + 1) % THREADS] + left;
        }
        for (int me = 0; me < THREADS; me++)
            check_int("order", team * THREADS + me, order[team][me], kept[me]);
    }
    return finish();
}

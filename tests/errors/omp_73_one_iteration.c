// command: accl cc -fopenmp -c $FILE -o /dev/null
// expect-exit: 0
/* Statements that one thread of a team runs do not race, however its number is named; those of all do. */
#include <omp.h>

void sums(float *out)
{
#pragma omp target teams num_teams(4) thread_limit(16) map(from : out[0 : 64])
    {
        float total, all;
        int steps[4];
#pragma omp parallel num_threads(16)
        {
            unsigned me = omp_get_thread_num();
            const int count = omp_get_num_threads();
            if (me == 0) {
                total = all = 0;
                steps[1] = 0;
            }
#pragma omp barrier
            if (me == 0 && out)
                total += 0.5f;
            if (count - 1 == me)
                steps[1] += 2;
            if (me != 1)
                all += 2;
#pragma omp barrier
            out[omp_get_team_num() * 16 + me] = total + all + steps[1];
        }
    }
}

// What no device's threads can do side by side, in constructs that ask for the numbers of their teams and threads and say how
// many there are: the host's threads run it, since one thread would leave out the others' part.
//
// expect: launches=0
#include "../check.h"
#include <omp.h>

int main()
{
    int out[16], sums[3] = {0, 0, 0};
#pragma omp target teams num_teams(1) thread_limit(16) map(from: out)
    {
        int shared[16];
#pragma omp parallel num_threads(16)
        {
            int t = omp_get_thread_num(), x = 2 * t;
            auto before = [x](int i) { return x + i; };
            x += 100;
            shared[t] = before(1);
#pragma omp barrier
            x++;
            out[t] = before(shared[(t + 1) % 16]) + x;
        }
    }
    for (int t = 0; t < 16; t++)
        check_int("copies", t, out[t], 2 * t + (2 * ((t + 1) % 16) + 1) + 2 * t + 101);

#pragma omp target teams num_teams(3) map(tofrom: sums)
    {
        int of_team = omp_get_team_num();
#pragma omp parallel num_threads(4)
        {
            int twice = 2 * of_team;
            auto add = [=]() mutable { return ++twice; };
#pragma omp barrier
#pragma omp atomic
            sums[of_team] += add();
        }
    }
    for (int team = 0; team < 3; team++)
        check_true("sums", sums[team] > 0 && sums[team] % (2 * team + 1) == 0);
    return finish();
}

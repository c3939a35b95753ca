// Numbers of threads at levels that code for devices asks for: OpenMP 5.2 §18.2.18 and §18.2.19. `isnormal`.
// expect: launches=2
#include "../check.h"
#include <math.h>
#include <omp.h>

int main(void)
{
    int wrong = 0, seen = 0;
#pragma omp target map(tofrom: wrong, seen)
    {
        wrong += omp_get_team_size(0) != 1 || omp_get_ancestor_thread_num(0) != 0;
        wrong += omp_get_team_size(1) != -1 || omp_get_ancestor_thread_num(1) != -1;
#pragma omp parallel num_threads(4) reduction(+ : wrong, seen)
        {
            seen += omp_get_ancestor_thread_num(1);
            wrong += omp_get_team_size(1) != omp_get_num_threads();
            wrong += omp_get_ancestor_thread_num(1) != omp_get_thread_num();
            wrong += omp_get_ancestor_thread_num(2) != -1 || omp_get_team_size(-1) != -1;
        }
    }
    check_true("wrong == 0", wrong == 0);
    check_true("seen == 0 || seen == 6", seen == 0 || seen == 6);

    double d[5] = {1.0, 0.0, INFINITY, 1e-310, NAN};
    float f[2] = {1e-40f, 1e-30f};
    int kinds = 0;
#pragma omp target map(to: d, f) map(from: kinds)
    {
        kinds = 0;
        for (int i = 0; i < 5; i++) {
            kinds |= (isnormal(d[i]) ? 1 : 0) << i;
        }
        kinds |= (isnormal(f[0]) ? 1 : 0) << 5 | (isnormal(f[1]) ? 1 : 0) << 6;
    }
    check_true("kinds == 65", kinds == 65);
    return finish();
}

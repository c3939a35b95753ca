// No `parallel` construct has more threads than `thread_limit` says (OpenMP 5.2 §13.3), whatever `num_threads` asks for.
#include <omp.h>
#include "../check.h"

int main(void)
{
    int n = 7, limit = 10, constant = 0, counts[4] = {0}, combined[4] = {0};
#pragma omp target teams num_teams(5) thread_limit(10) map(tofrom: constant)
    {
#pragma omp parallel num_threads(20)
        if (omp_get_team_num() == 0 && omp_get_thread_num() == 0)
            constant = omp_get_num_threads();
    }
    check_int("constant", 0, constant, 10);
#pragma omp target teams num_teams(5) thread_limit(limit) map(tofrom: counts)
    {
        int first = omp_get_team_num() == 0;
#pragma omp parallel num_threads(n)
        if (first && omp_get_thread_num() == 0)
            counts[0] = omp_get_num_threads();
#pragma omp parallel num_threads(2 * n)
        if (first && omp_get_thread_num() == 0)
            counts[1] = omp_get_num_threads();
#pragma omp parallel for num_threads(2 * n)
        for (int i = 0; i < 32; i++)
            if (first && i == 0)
                counts[2] = omp_get_num_threads();
#pragma omp parallel if(limit > 100) num_threads(2 * n)
        if (first && omp_get_thread_num() == 0)
            counts[3] = omp_get_num_threads();
    }
    check_int("fewer", 0, counts[0], 7);
    check_int("more", 0, counts[1], 10);
    check_int("of a loop", 0, counts[2], 10);
    check_int("one", 0, counts[3], 1);
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(3) num_threads(8) map(tofrom: combined)
    for (int i = 0; i < 4; i++)
        combined[i] = omp_get_num_threads();
    for (int i = 0; i < 4; i++)
        check_int("combined", i, combined[i], 3);
    return finish();
}

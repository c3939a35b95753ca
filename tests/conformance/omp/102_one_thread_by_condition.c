// A `parallel` whose condition does not hold has one thread; how deep `parallel` constructs lie in one another.
// expect: launches=8
#include "../check.h"
#include <omp.h>

#define N 200

static void numbers(int many)
{
    int threads = -1, later = -1, whole = -1, a[N], b[N], c[N];
#pragma omp target parallel if(parallel: many) num_threads(8) map(from: threads, later) map(from: a)
    {
        if (omp_get_thread_num() == 0)
            threads = omp_get_num_threads();
        int own = omp_get_thread_num();
#pragma omp barrier
        if (own == 0)
            later = omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < N; i++)
            a[i] = omp_get_num_threads();
    }
#pragma omp target teams distribute parallel for if(parallel: many) if(target: 1) num_teams(2) thread_limit(16) map(from: b)
    for (int i = 0; i < N; i++)
        b[i] = omp_get_num_threads();
#pragma omp target teams num_teams(1) map(from: c, whole)
    {
#pragma omp parallel for if(many) num_threads(4)
        for (int i = 0; i < N; i++)
            c[i] = omp_get_num_threads();
        whole = omp_get_num_threads();
    }
    check_int("threads", many, threads, many ? 8 : 1);
    check_int("later", many, later, many ? 8 : 1);
    check_int("whole", many, whole, 1);
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], many ? 8 : 1);
        check_true("b", many ? b[i] > 1 && b[i] <= 16 : b[i] == 1);
        check_int("c", i, c[i], many ? 4 : 1);
    }
}

static void levels(void)
{
    int outside = -1, outer = -1, inner = -1, active = -1, loop = -1;
#pragma omp target teams num_teams(1) map(tofrom: outside, outer, inner, active, loop)
    {
        outside = omp_get_level();
#pragma omp parallel num_threads(8)
        if (omp_get_thread_num() == 0) {
            outer = omp_get_level();
#pragma omp parallel num_threads(8)
            {
                inner = omp_get_level();
                active = omp_get_active_level();
            }
        }
    }
#pragma omp target map(tofrom: loop)
#pragma omp parallel for
    for (int i = 0; i < 1; i++)
        loop = omp_get_level();
    check_int("outside", 0, outside, 0);
    check_int("outer", 0, outer, 1);
    check_int("inner", 0, inner, 2);
    check_int("active", 0, active, 1);
    check_int("loop", 0, loop, 1);
}

int main(void)
{
    numbers(1);
    numbers(0);
    levels();
    return finish();
}

// Loops that ask for the numbers of teams and threads follow their static schedules (OpenMP 5.2 §11.5.3, §11.6.1).
// expect: launches=10
#include "../check.h"
#include <omp.h>

#define N 1031

static int a[N];

#define CHECK(what, want)                                                                                    \
    for (int i = 0; i < N; i++)                                                                              \
    check_int(what, i, a[i], want)

int main(void)
{
#pragma omp target teams distribute map(from: a) num_teams(10) dist_schedule(static, 3)
    for (int i = 0; i < N; i++)
        a[i] = omp_get_team_num();
    CHECK("teams, 3 at a time", i / 3 % 10);

#pragma omp target teams distribute map(from: a) num_teams(10) dist_schedule(static)
    for (int i = 0; i < N; i++)
        a[i] = omp_get_team_num();
    CHECK("teams, equal parts", i / 104);

#pragma omp target parallel for map(from: a) num_threads(7) schedule(static, 4)
    for (int i = N - 1; i >= 0; i--)
        a[i] = omp_get_thread_num();
    CHECK("threads, 4 at a time, downwards", (N - 1 - i) / 4 % 7);

#pragma omp target parallel for map(from: a) num_threads(8) schedule(monotonic: static)
    for (unsigned i = 0; i < N; i += 1)
        a[i] = omp_get_thread_num();
    CHECK("threads, equal parts", i / 129);

    int chunk = 29;
#pragma omp target teams distribute parallel for map(from: a) num_teams(10) num_threads(10)                  \
    dist_schedule(static, chunk) schedule(static, 2)
    for (long i = 0; i < N; i++)
        a[i] = omp_get_team_num() * 100 + omp_get_thread_num();
    CHECK("chunks of chunks", i / 29 % 10 * 100 + i % 29 / 2 % 10);

#pragma omp target teams distribute parallel for map(from: a) num_teams(10) num_threads(10) dist_schedule(static, 101)
    for (int i = 0; i < N; i++)
        a[i] = omp_get_team_num();
    CHECK("threads as they like", i / 101 % 10);

#pragma omp target map(from: a)
#pragma omp parallel num_threads(5)
    {
        int thread = omp_get_thread_num();
#pragma omp for schedule(static, 2)
        for (int i = 0; i < N; i++)
            a[i] = thread;
    }
    CHECK("within a block", i / 2 % 5);

    int last = -1;
#pragma omp target teams distribute parallel for map(from: a) num_teams(3) num_threads(4)                    \
    dist_schedule(static) schedule(static, 5) lastprivate(last)
    for (int i = 0; i < N; i += 2) {
        last = i;
        a[i] = omp_get_team_num();
        if (i + 1 < N)
            a[i + 1] = a[i];
    }
    CHECK("steps of two", i / 2 / 172);
    check_int("lastprivate", 0, last, N - 1);

#pragma omp target teams distribute parallel for collapse(2) map(from: a) num_teams(3) num_threads(4)
    for (int i = 0; i < 103; i++)
        for (int j = 0; j < 10; j++)
            a[i * 10 + j] = i * (omp_get_team_num() < 3);
    for (int i = 0; i < 1030; i++)
        check_int("joined loops", i, a[i], i / 10);

#pragma omp target teams distribute parallel for schedule(static, 3) num_threads(4) map(tofrom: a)
    for (int i = 5; i < 5; i++)
        a[i] = omp_get_thread_num() - 1;
    check_int("no iteration", 5, a[5], 0);
    return finish();
}

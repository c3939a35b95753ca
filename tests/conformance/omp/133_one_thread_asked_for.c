// A construct of one team and one thread runs its iterations in their order, which is no race, and so no warning.
// expect: launches=5
#include "../check.h"

#define N 1024

static int a[N];

static void start(void)
{
    for (int i = 0; i < N; i++)
        a[i] = 1;
}

static void seen(const char *what)
{
    for (int i = 0; i < N; i++)
        check_int(what, i, a[i], i + 1);
}

int main(void)
{
    start();
#pragma omp target parallel num_threads(1) map(tofrom: a)
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    seen("target parallel");

    start();
#pragma omp target parallel for num_threads(1) map(tofrom: a)
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    seen("target parallel for");

    start();
#pragma omp target map(tofrom: a)
#pragma omp parallel for num_threads(1)
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    seen("parallel for in target");

    start();
#pragma omp target teams num_teams(1) thread_limit(1) map(tofrom: a)
#pragma omp distribute parallel for
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    seen("one team");

    // What the compiler cannot tell to depend.
    static int next[N];
    for (int i = 0; i < N; i++)
        next[i] = (i + 1) % N;
    start();
#pragma omp target parallel for num_threads(1) map(tofrom: a) map(to: next)
    for (int i = 0; i < N - 1; i++)
        a[next[i]] += a[i];
    seen("by indices");
    return finish();
}

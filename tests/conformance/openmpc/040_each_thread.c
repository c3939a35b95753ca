// What several threads do and one would not: each adds to a sum, goes on with what its last iteration left, or is counted. Such
// regions stay with the host's threads. What OpenMP says of counters, barriers and teams holds beside loops on the device.
// expect: launches=13
#include "../check.h"
#include <omp.h>

#define N 2000

static int a[N], b[N];

static void each_adds(void)
{
    int threads = 0, sum = 3, counted = 0;
#pragma omp parallel shared(a, sum) reduction(+: counted)
    {
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp atomic
        sum += 5;
        counted++;
#pragma omp for
        for (int i = 0; i < N; i++)
            a[i] = 0;
#pragma omp critical
        for (int i = 0; i < 3; i++)
            b[0] += 1;
    }
    check_int("sum", 0, sum, 3 + 5 * threads);
    check_int("counted", 0, counted, threads);
    check_int("b", 0, b[0], 3 * threads);
    b[0] = 0;
}

static void goes_on(void)
{
    int carried = 30;
#pragma omp parallel for firstprivate(carried) lastprivate(carried) num_threads(2) schedule(static)
    for (int i = 0; i < 10; i++)
        carried = carried + i;
    // Two threads, or one where the system has no more.
    check_true("carried", carried == 30 + 35 || carried == 30 + 45);
}

// `simd` returns the counter's last value; without it the variable keeps its own.
static int counter(int n)
{
    int i;
#pragma omp parallel for simd
    for (i = 0; i < n; i++)
        b[i] = a[i] + i;
    return i;
}

// A barrier in a block of one thread is valid for nobody but a team of one.
static void barriers(int steps)
{
    int i, t;
#pragma omp parallel private(i, t)
    {
#pragma omp master
        for (t = 0; t < steps; t++) {
#pragma omp for
            for (i = 1; i < N - 1; i++)
                a[i] = b[i - 1] + b[i + 1];
#pragma omp barrier
#pragma omp for
            for (i = 1; i < N - 1; i++)
                b[i] = a[i] % 1000;
#pragma omp barrier
        }
    }
}

static void teams_of_the_host(int *list, int n)
{
    int i;
#pragma omp teams num_teams(1)
#pragma omp loop
    for (i = 0; i < n; i++)
        list[i] = 2 * i;
}

int main(void)
{
    static int expected[N], before[N];
    each_adds();
    goes_on();
    check_int("counter", 0, counter(N), N);
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], i);
    for (int i = 0; i < N; i++)
        expected[i] = b[i];
    for (int t = 0; t < 6; t++) {
        for (int i = 1; i < N - 1; i++)
            before[i] = expected[i - 1] + expected[i + 1];
        for (int i = 1; i < N - 1; i++)
            expected[i] = before[i] % 1000;
    }
    barriers(6);
    for (int i = 0; i < N; i++)
        check_int("stencil", i, b[i], expected[i]);
    teams_of_the_host(before, N);
    for (int i = 0; i < N; i++)
        check_int("teams", i, before[i], 2 * i);
    return finish();
}

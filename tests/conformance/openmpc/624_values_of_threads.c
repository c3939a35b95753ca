// Each thread leaves a sum, a least value with its place, or counts in its part of an array, which the program joins after the region:
// threads that get no iterations leave what they began with, so that all parts have values, in every round anew. Where threads look at what loops
// left in shared memory, or at others' parts, they stay the host's.
// env: OMP_NUM_THREADS=5 ACCL_DEVICE_CHOICE=never
// expect: launches=30
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 20000
#define LINE 8

static double a[N];

// As LULESH's time constraints have it.
static void least(int n, double limit, double *found, int *place)
{
    static double *value_of;
    static int *place_of;
    const int threads = omp_get_max_threads();
    if (!value_of) {
        value_of = malloc(threads * sizeof *value_of);
        place_of = malloc(threads * sizeof *place_of);
    }
#pragma omp parallel firstprivate(n)
    {
        double value = limit;
        int at = -1, tid = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; i++)
            if (a[i] > 0.5 && a[i] < value) {
                value = a[i];
                at = i;
            }
        value_of[tid] = value;
        place_of[tid] = at;
    }
    for (int t = 1; t < threads; t++)
        if (value_of[t] < value_of[0]) {
            value_of[0] = value_of[t];
            place_of[0] = place_of[t];
        }
    *found = value_of[0];
    *place = place_of[0];
}

// Parts in lines of their own, and a variable that the region has private.
static double sum(int n)
{
    double *part = malloc(omp_get_max_threads() * LINE * sizeof *part), all = 0, s;
    int tid;
    for (int t = 0; t < omp_get_max_threads() * LINE; t++)
        part[t] = 1e6;
#pragma omp parallel private(s, tid)
    {
        tid = omp_get_thread_num();
        s = 0;
#pragma omp for
        for (int i = 0; i < n; i++)
            s += a[i];
        part[tid * LINE] = s;
    }
    for (int t = 0; t < omp_get_max_threads(); t++)
        all += part[t * LINE];
    free(part);
    return all;
}

// Parts that each thread sets before the loop, which accumulates into them.
static void counts(int n, int *total)
{
    int(*part)[4] = malloc(3 * sizeof *part);
#pragma omp parallel num_threads(3)
    {
        const int id = omp_get_thread_num();
        for (int k = 0; k < 4; k++)
            part[id][k] = 100 * omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < n; i++)
            part[id][i % 4]++;
    }
    for (int k = 0; k < 4; k++) {
        total[k] = -900;
        for (int t = 0; t < 3; t++)
            total[k] += part[t][k];
    }
    free(part);
}

// As lessons have it: the first thread tells how many there are, and each clears and counts in its part, which a later loop adds up.
static void lesson(int n, int *total, int *told)
{
    const int most = omp_get_max_threads();
    int *part = malloc(most * 8 * sizeof *part), threads = 0;
#pragma omp parallel
    {
        int id = omp_get_thread_num(), count = omp_get_num_threads();
        if (id == 0)
            threads = count;
        for (int k = 0; k < 8; k++)
            part[id * 8 + k] = 0;
#pragma omp for
        for (int i = 0; i < n; i++)
            part[id * 8 + (int)a[i] % 8]++;
#pragma omp for
        for (int k = 0; k < 8; k++) {
            total[k] = 0;
            for (int t = 0; t < count; t++)
                total[k] += part[t * 8 + k];
        }
    }
    *told = threads;
    free(part);
}

// What threads leave for each other to read behind a barrier, and what a loop reads before they set it anew.
static void neighbours(int n, double *out)
{
    double part[64], next[64];
#pragma omp parallel num_threads(4)
    {
        int id = omp_get_thread_num();
        part[id] = 10 * id;
#pragma omp barrier
        next[id] = part[(id + 1) % 4];
#pragma omp for
        for (int i = 0; i < n; i++)
            out[i] = a[i] + part[i % 4];
    }
    for (int t = 0; t < 4; t++)
        check_near("next", t, next[t], 10 * ((t + 1) % 4), 0);
#pragma omp parallel num_threads(4)
    {
        int id = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; i++)
            out[i] += part[i % 4];
        part[id] = -1;
    }
    for (int t = 0; t < 4; t++)
        check_near("part", t, part[t], -1, 0);
}

// What each thread leaves depends on what the loop did: the host's threads run it.
static double after(int n)
{
    static double part[64], most[1];
    most[0] = 0;
#pragma omp parallel num_threads(4)
    {
        int id = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; i++)
            if (i == n - 1)
                most[0] = a[i];
        part[id] = most[0];
    }
    return part[0] + part[1] + part[2] + part[3];
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (i * 7919) % N;
    for (int round = 0; round < 5; round++) {
        int n = N - 1000 * round, place, want_place = -1, total[4];
        double found, want = 0.9 * N, wanted_sum = 0;
        least(n, want, &found, &place);
        for (int i = 0; i < n; i++) {
            wanted_sum += a[i];
            if (a[i] > 0.5 && a[i] < want) {
                want = a[i];
                want_place = i;
            }
        }
        check_near("least", round, found, want, 0);
        check_int("place", round, place, want_place);
        check_near("sum", round, sum(n), wanted_sum, 1e-12);
        counts(n, total);
        for (int k = 0; k < 4; k++)
            check_int("count", k, total[k], n / 4);
        static int sums[8], wanted_sums[8], told;
        lesson(n, sums, &told);
        for (int k = 0; k < 8; k++)
            wanted_sums[k] = 0;
        for (int i = 0; i < n; i++)
            wanted_sums[(int)a[i] % 8]++;
        for (int k = 0; k < 8; k++)
            check_int("lesson", k, sums[k], wanted_sums[k]);
        check_int("told", round, told, omp_get_max_threads());
    }
    static double out[N];
    neighbours(N, out);
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], a[i] + 20 * (i % 4), 0);
    check_near("after", 0, after(N), 4 * a[N - 1], 0);
    return finish();
}

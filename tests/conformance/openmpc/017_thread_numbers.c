// What regions on the device may do with the numbers of their threads: the first one's work, and what each thread accumulates
// for itself. A region that divides its work by them stays with the host's threads.
// expect: launches=5
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 10000
#define BINS 16

static int of[N];

int main(void)
{
    int threads = 0, most = omp_get_max_threads(), asked = 0, first = 0;
    int(*counts)[BINS] = calloc(most, sizeof *counts);
    float **sums = malloc(most * sizeof *sums);
    int **lengths = malloc(most * sizeof *lengths);
    for (int t = 0; t < most; t++) {
        sums[t] = calloc(BINS, sizeof **sums);
        lengths[t] = calloc(BINS, sizeof **lengths);
    }
    for (int i = 0; i < N; i++)
        of[i] = (i * 7) % BINS;
#pragma omp parallel
    {
        int id = omp_get_thread_num(), i, j;
#pragma omp single
        threads = omp_get_num_threads();
        if (id == 0)
            first++;
#pragma omp for
        for (i = 0; i < N; i++) {
            lengths[id][of[i]]++;
            for (j = 0; j < 2; j++)
                sums[id][of[i]] = sums[id][of[i]] + 0.5f;
        }
#pragma omp for
        for (i = 0; i < N; i++)
            counts[omp_get_thread_num()][of[i]] += i % 3;
    }
    check_int("first", 0, first, 1);
    check_int("threads", 0, threads, most);
    for (int b = 0; b < BINS; b++) {
        int length = 0, count = 0, want = 0;
        float sum = 0;
        for (int t = 0; t < most; t++) {
            length += lengths[t][b];
            count += counts[t][b];
            sum += sums[t][b];
        }
        for (int i = 0; i < N; i++)
            want += of[i] == b ? i % 3 : 0;
        check_int("length", b, length, N / BINS);
        check_near("sum", b, sum, N / BINS, 0);
        check_int("count", b, count, want);
    }

    // The number of threads that the region asks for.
#pragma omp parallel num_threads(3)
    {
#pragma omp master
        asked = omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < N; i++)
            of[i] += 1;
    }
    check_int("asked", 0, asked, 3);

    // Each thread has its stretch of the array; and one that reads its part, or another's.
    int *last = calloc(most, sizeof *last);
#pragma omp parallel
    {
        int id = omp_get_thread_num(), n = omp_get_num_threads();
        for (int i = id * N / n; i < (id + 1) * N / n; i++)
            of[i] -= 1;
    }
#pragma omp parallel
    {
        int id = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < N; i++) {
            last[id] = of[i];
            of[i] = last[id] * 2;
        }
    }
    // Threads without iterations have set nothing.
#pragma omp parallel
    {
        int id = omp_get_thread_num();
        last[id] = -1;
#pragma omp for
        for (int i = 0; i < N; i++)
            of[i] += 1;
    }
    for (int i = 0; i < N; i++)
        check_int("of", i, of[i], 2 * ((i * 7) % BINS) + 1);
    for (int t = 0; t < most; t++)
        check_int("last", t, last[t], -1);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        of[i] = 0;
    return finish();
}

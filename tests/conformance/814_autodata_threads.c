// -gpu=autodata: threads of the host read and write one array at the same time, and launch kernels on arrays of their own.
// flags: -gpu=autodata -pthread
// needs: runtime
#include "check.h"
#include <pthread.h>
#include <stdlib.h>

#define N 200000
#define THREADS 4

static int *shared;
static long sums[THREADS];

static void *reads(void *number)
{
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += shared[i];
    sums[(long)number] = sum;
    return 0;
}

static void *writes(void *number)
{
    // Pages are shared at the ends of the parts.
    long k = (long)number, begin = N / THREADS * k + (k > 0 ? 3 : 0), end = k == THREADS - 1 ? N : N / THREADS * (k + 1) + 3;
    for (long i = begin; i < end; i++)
        shared[i] += 1;
    return 0;
}

static void *computes(void *number)
{
    int n = 20000;
    long k = (long)number;
    for (int round = 0; round < 10; round++) {
        int *own = malloc(n * sizeof *own);
        for (int i = 0; i < n; i++)
            own[i] = i;
        for (int times = 0; times < 5; times++) {
#pragma acc parallel loop
            for (int i = 0; i < n; i++)
                own[i] += k;
            own[times] -= k;
        }
        for (int i = 0; i < n; i++)
            check_int("own", i, own[i], i + 5 * k - (i < 5 ? k : 0));
        free(own);
    }
    return 0;
}

static void all(void *(*work)(void *))
{
    pthread_t threads[THREADS];
    for (long k = 0; k < THREADS; k++)
        pthread_create(&threads[k], 0, work, (void *)k);
    for (long k = 0; k < THREADS; k++)
        pthread_join(threads[k], 0);
}

int main(void)
{
    shared = malloc(N * sizeof *shared);
    for (int i = 0; i < N; i++)
        shared[i] = 0;
    for (int round = 1; round <= 20; round++) {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            shared[i] += 1;
        all(round % 2 ? reads : writes);
        if (round % 2)
            for (int k = 0; k < THREADS; k++)
                check_int("sum", k, sums[k], (long)N * (round + round / 2));
    }
    for (int i = 0; i < N; i++)
        check_int("shared", i, shared[i], 30);
    all(computes);
    free(shared);
    return finish();
}

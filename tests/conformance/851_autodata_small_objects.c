// Objects that have no pages of their own are sent where the host has changed them, and come back where kernels may have
// written them. What the memory of a freed one holds later is another object.
// flags: -gpu=autodata -pthread
// expect: launches>=55
#include "check.h"
#include <pthread.h>
#include <stdlib.h>

#define N 100

static float weights[N];
static int *counts[4];

static float scaled(const float *w, const float *v, int n)
{
    float sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += w[i] * v[i];
    return sum;
}

static void *count(void *which)
{
    int *mine = counts[*(int *)which];
    for (int step = 0; step < 10; step++) {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            mine[i] += i;
        mine[step] += 1;
    }
    return NULL;
}

int main(void)
{
    float *v = malloc(N * sizeof *v);
    for (int i = 0; i < N; i++) {
        weights[i] = 1;
        v[i] = i;
    }
    check_near("first", 0, scaled(weights, v, N), 4950, 0);
    check_near("again", 0, scaled(weights, v, N), 4950, 0);
    weights[99] = 2;
    check_near("changed", 0, scaled(weights, v, N), 4950 + 99, 0);
    // A part that is written, of an object that is read by another name.
    float *middle = v + 40;
#pragma acc parallel loop
    for (int i = 0; i < 10; i++)
        middle[i] = v[90 + i];
    check_near("middle", 0, v[45], 95, 0);
    check_near("beside", 0, v[39], 39, 0);
    check_near("written", 0, scaled(weights, v, N), 4950 + 99 + 500, 0);
    free(v);

    // Most likely at the same place.
    for (int round = 0; round < 5; round++) {
        int n = round < 3 ? N : N + round;
        float *other = malloc(n * sizeof *other);
        for (int i = 0; i < n; i++)
            other[i] = round;
        check_near("other", round, scaled(weights, other, N), round * (N + 1), 0);
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            other[i] = i;
        for (int i = 0; i < n; i++)
            check_near("overwritten", i, other[i], i, 0);
        free(other);
    }

    pthread_t threads[4];
    int numbers[4] = {0, 1, 2, 3};
    for (int t = 0; t < 4; t++)
        counts[t] = calloc(N, sizeof *counts[t]);
    for (int t = 0; t < 4; t++)
        pthread_create(&threads[t], NULL, count, &numbers[t]);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < N; i++)
            check_int("count", i, counts[t][i], 10 * i + (i < 10));
    return finish();
}

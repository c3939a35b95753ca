// Two host threads launch the same kernel with arrays of their own, one of which comes and goes meanwhile.
// expect: launches=600 uploads=102 downloads=101
#include "check.h"
#include <pthread.h>
#include <stdlib.h>

enum { N = 500, STEPS = 300 };

static void step(int n, int by, int *a)
{
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += by;
}

static void *stays(void *given)
{
    int *a = given;
#pragma acc data copy(a[0:N])
    for (int s = 0; s < STEPS; s++)
        step(N, s, a);
    return NULL;
}

static void *comes_and_goes(void *given)
{
    int *a = given;
    for (int s = 0; s < STEPS; s += 3) {
#pragma acc data copy(a[0:N])
        for (int t = s; t < s + 3; t++)
            step(N, t, a);
    }
    return NULL;
}

int main(void)
{
    int *a = calloc(N, sizeof(int)), *b = calloc(N, sizeof(int));
    int *ends[] = {a, b};
    /* Both threads find the device in use. */
#pragma acc data copyin(ends)
    {
        pthread_t other;
        pthread_create(&other, NULL, comes_and_goes, b);
        stays(a);
        pthread_join(other, NULL);
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], STEPS * (STEPS - 1) / 2);
        check_int("b", i, b[i], STEPS * (STEPS - 1) / 2);
    }
    free(a);
    free(b);
    return finish();
}

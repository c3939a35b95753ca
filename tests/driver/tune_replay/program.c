#include <stdio.h>
#include <stdlib.h>

/* The array is read and written: a launch that is repeated must find what was there before the first. */
static void scale(int n, float *a)
{
#pragma acc parallel loop present(a[:n])
    for (int i = 0; i < n; ++i)
        a[i] = 2.0f * a[i] + 1.0f;
}

/* In another order of its terms the sum is another number, and it is added to what was there. */
static float sum(int n, const float *a, float s)
{
#pragma acc parallel loop reduction(+ : s) present(a[:n])
    for (int i = 0; i < n; ++i)
        s += a[i];
    return s;
}

/* Which element comes first differs from run to run. */
static void place(int n, int *next, int *at)
{
#pragma acc parallel loop present(next[:1], at[:n])
    for (int i = 0; i < n; ++i) {
        int mine;
#pragma acc atomic capture
        mine = next[0]++;
        at[mine] = i;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *a = malloc(n * sizeof *a);
    int *at = malloc(n * sizeof *at), next = 0;
    for (int i = 0; i < n; ++i)
        a[i] = 1.0f / (i + 1);
    float s = 0.25f;
#pragma acc data copy(a[:n]) copyout(at[:n]) copy(next)
    {
        scale(n, a);
        s = sum(n, a, s);
        scale(n / 4, a);
        if (argc > 2)
            place(n, &next, at);
    }
    printf("%d %.9g %.9g %.9g %d\n", n, a[0], a[n - 1], s, next);
    free(a);
    free(at);
    return 0;
}

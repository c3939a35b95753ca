// Target data constructs inside each other that map different sections of one array: a pointer stands for what is mapped where it
// points to, whichever construct mapped it.
// expect: launches=3
#include "../check.h"
#include <stdlib.h>

#define N 64

int main(void)
{
    int *a = malloc(2 * N * sizeof *a), *at = malloc(N * sizeof *at);
    int n = N;
    for (int i = 0; i < 2 * n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        at[i] = n - 1 - i;
#pragma omp target data map(tofrom : a[0 : n]) map(to : at[0 : n])
#pragma omp target data map(tofrom : a[n : n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[at[i]] += 1;
#pragma omp target teams distribute parallel for
        for (int i = n; i < 2 * n; i++)
            a[i] *= 2;
        int *second = a + n;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            second[at[i]] += 1;
    }
    for (int i = 0; i < n; i++) {
        check_int("first", i, a[i], i + 1);
        check_int("second", i, a[n + i], 2 * (n + i) + 1);
    }
    free(a);
    free(at);
    return finish();
}

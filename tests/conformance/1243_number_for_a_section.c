// `create(a[n])` is one element by the standard. Tutorials mean the first n of them: so it is taken where the function uses other
// elements of the array, and nowhere this one.
// expect: launches=3
// expect-remark: taken as the first n \* m elements
#include "check.h"
#include <stdlib.h>

#define N 64

static void pipeline(int n, int m, int *image, int *in)
{
#pragma acc data create(image[n * m]) copyin(in[n * m])
    {
#pragma acc parallel loop
        for (int i = 0; i < n * m; i++)
            image[i] = 2 * in[i];
#pragma acc update self(image [0:n * m])
    }
}

// The element is meant.
static void one_element(int n, int *a)
{
#pragma acc parallel copy(a[n])
    a[n] += 5;
#pragma acc enter data copyin(a[n - 1])
#pragma acc serial present(a[n - 1])
    a[n - 1] = 7;
#pragma acc exit data copyout(a[n - 1])
    a[n - 2] = 3;
}

int main()
{
    int *a = malloc(N * N * sizeof *a), *b = malloc(N * N * sizeof *b);
    for (int i = 0; i < N * N; i++)
        b[i] = i;
    pipeline(N, N, a, b);
    for (int i = 0; i < N * N; i++)
        check_int("image", i, a[i], 2 * i);
    one_element(10, b);
    check_int("element", 10, b[10], 15);
    check_int("element", 9, b[9], 7);
    check_int("element", 8, b[8], 3);
    return finish();
}

// A construct that names one section of an array in a clause of its own and uses others, which constructs around it name: all lie in
// one place, and the own one comes back to it the next time. An update of several sections that touch each other.
// expect: launches=9
#include "check.h"
#include <stdlib.h>

#define N 100

static int *numbers(int n)
{
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a;
}

static void one_around(int n)
{
    int *a = numbers(2 * n);
#pragma acc data copyout(a [n:n])
#pragma acc parallel loop copyin(a [0:n])
    for (int i = 0; i < n; i++)
        a[n + i] = 3 * a[i];
    for (int i = 0; i < n; i++)
        check_int("one around", i, a[n + i], 3 * i);
    free(a);
}

static void again_and_again(int n)
{
    int *a = numbers(3 * n);
#pragma acc data copy(a [n:n]) copyin(a [2 * n:n])
    for (int t = 0; t < 5; t++) {
        for (int i = 0; i < n; i++)
            a[i] = i + t;
#pragma acc parallel loop copyin(a [0:n]) async(t % 2)
        for (int i = 0; i < n; i++)
            a[n + i] += a[i];
#pragma acc wait
    }
    for (int i = 0; i < n; i++)
        check_int("again and again", i, a[n + i], n + i + 5 * i + 10);
#pragma acc data copyout(a [n:n])
#pragma acc serial copyin(a [0:n]) copy(a [2 * n:n])
    for (int i = 0; i < n; i++)
        a[n + i] = a[i] + a[2 * n + i]++;
    for (int i = 0; i < n; i++) {
        check_int("two of its own", i, a[n + i], i + 4 + 2 * n + i);
        check_int("copied", i, a[2 * n + i], 2 * n + i + 1);
    }
    free(a);
}

static void updates(int n)
{
    int *a = numbers(2 * n);
#pragma acc enter data copyin(a [0:n])
#pragma acc enter data copyin(a [n:n])
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[n + i] += 2 * a[i];
#pragma acc update self(a [n / 2:n])
    for (int i = 0; i < n; i++)
        check_int("update self", i, a[n + i], i < n / 2 ? n + 3 * i : n + i);
    for (int i = 0; i < 2 * n; i++)
        a[i] = -i;
#pragma acc update device(a [0:2 * n])
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[n + i] += 2 * a[i];
#pragma acc exit data copyout(a [0:n])
#pragma acc exit data copyout(a [n:n])
    for (int i = 0; i < n; i++)
        check_int("update device", i, a[n + i], -n - 3 * i);
    free(a);
}

int main(void)
{
    one_around(N);
    again_and_again(N);
    updates(N);
    return finish();
}

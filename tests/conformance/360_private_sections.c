// expect: launches=5
// needs: separate
// private and firstprivate sections of pointers, whose length only the launch knows: the construct has memory of
// its own, so neither the host's array nor what is present of it changes.
#include "check.h"
#include <stdlib.h>

enum { N = 1000 };

int main(void)
{
    int n = N;
    int *a = malloc(n * sizeof *a), *z = malloc(n * sizeof *z), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        z[i] = 7 * i, a[i] = b[i] = 0;

    // Each iteration writes its own element before it reads it.
#pragma acc parallel loop copyout(a[0:n]) private(z[0:n])
    for (int i = 0; i < n; i++) {
        z[i] = 3 * i;
        a[i] = z[i] + 1;
    }
    for (int i = 0; i < n; i++) {
        check_int("a", i, a[i], 3 * i + 1);
        check_int("z", i, z[i], 7 * i);
    }

    // The host's values, though another array of that name is present.
#pragma acc data create(z[0:n])
    {
#pragma acc parallel loop present(z[0:n])
        for (int i = 0; i < n; i++)
            z[i] = -1;
#pragma acc parallel loop copyout(a[0:n]) firstprivate(z[10:n-20])
        for (int i = 10; i < n - 10; i++) {
            z[i] += 1;
            a[i] = z[i];
        }
#pragma acc update self(z[0:n])
    }
    for (int i = 10; i < n - 10; i++) {
        check_int("a", i, a[i], 7 * i + 1);
        check_int("z", i, z[i], -1);
    }

    // Only read, on a queue; and an array of constant length, which is private as a whole.
    int t[8];
    for (int i = 0; i < n; i++)
        z[i] = i;
#pragma acc parallel loop copyout(a[0:n]) firstprivate(z[0:n]) async(1)
    for (int i = 0; i < n; i++)
        a[i] = z[(i * 7) % n];
#pragma acc wait(1)
#pragma acc parallel loop copyout(b[0:n]) private(t[0:8])
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++)
            t[k] = i + k;
        int sum = 0;
        for (int k = 0; k < 8; k++)
            sum += t[7 - k];
        b[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        check_int("a", i, a[i], i * 7 % n);
        check_int("b", i, b[i], 8 * i + 28);
    }
    return finish();
}

// A variable in two data clauses of one construct: the first decides what happens at the entry, the last what happens
// at the exit. In clauses of other sorts, and in identical ones, it counts once.
// expect: launches=10 uploads=10 downloads=9
#include "check.h"

#define N 40

static int a[N], b[N];

static void reset(void)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
}

int main(void)
{
    int n = N, t, x = 7, sum = 0;
    int *p = a;

    reset();
#pragma acc data create(p[0:n]) copyout(p [0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            p[i] = 2 * i;
    }
    for (int i = 0; i < N; i++)
        check_int("create, copyout", i, a[i], 2 * i);

    reset();
#pragma acc parallel loop copyin(a) copyout(a)
    for (int i = 0; i < N; i++)
        a[i] += 3;
    for (int i = 0; i < N; i++)
        check_int("copyin, copyout", i, a[i], i + 3);

    reset();
#pragma acc parallel loop copy(a, b) create(a)
    for (int i = 0; i < N; i++)
        b[i] = a[i]++ + 1;
    for (int i = 0; i < N; i++) {
        check_int("copy, create", i, a[i], i);
        check_int("copied", i, b[i], i + 1);
    }

    reset();
#pragma acc parallel loop present_or_copyin(a) present_or_copyin(a) copyout(b) copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = a[i] + 5;
    for (int i = 0; i < N; i++)
        check_int("identical", i, b[i], i + 5);

    // The whole covers its part; of constants the section that covers both is known.
    reset();
#pragma acc parallel loop copyin(a) copyout(a[0:n])
    for (int i = 0; i < N; i++)
        a[i] += 6;
#pragma acc parallel loop copyin(b[0:10]) copyout(b[10:10])
    for (int i = 0; i < 10; i++)
        b[10 + i] = b[i] + 100;
    for (int i = 0; i < N; i++) {
        check_int("whole and part", i, a[i], i + 6);
        check_int("two parts", i, b[i], i >= 10 && i < 20 ? i + 90 : i);
    }

    // A pointer alone names no section.
    reset();
#pragma acc parallel loop copy(p[0:n]) no_create(p)
    for (int i = 0; i < n; i++)
        p[i] += 8;
    for (int i = 0; i < N; i++)
        check_int("pointer", i, a[i], i + 8);

    reset();
#pragma acc enter data create(a) copyin(a)
#pragma acc parallel loop present(a) present(a) private(t, t) firstprivate(x, x)
    for (int i = 0; i < N; i++) {
        t = x * i;
        a[i] = t;
    }
#pragma acc exit data copyout(a) delete(a)
#pragma acc parallel loop copyin(a) reduction(+ : sum) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += a[i];
    for (int i = 0; i < N; i++)
        check_int("dynamic", i, a[i], 7 * i);
    check_int("sum", 0, sum, 7 * N * (N - 1) / 2);

    // A loop's private copies have nothing to do with the construct's data.
#pragma acc parallel loop copyin(x) private(x) copy(b)
    for (int i = 0; i < N; i++) {
        x = i;
        b[i] = x;
    }
    for (int i = 0; i < N; i++)
        check_int("data and private", i, b[i], i);
    check_int("x", 0, x, 7);
    return finish();
}

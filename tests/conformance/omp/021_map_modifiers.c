// The modifiers of map: always moves values of what is there already, close is a wish, present asks for what is there.
// expect: launches=6 uploads=5 downloads=5
// needs: separate
// gcc: rejects, it knows no `present`
#include "../check.h"

#define N 100

int main(void)
{
    int a[N], b[N], c[N];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = i;
#pragma omp target data map(tofrom: a) map(close, to: b) map(always close alloc: c)
    {
        for (int i = 0; i < N; i++)
            a[i] = b[i] = 1000 + i;
        // b is there: nothing moves, and the device has the old values.
#pragma omp target map(to: b) map(always, from: c)
        for (int i = 0; i < N; i++)
            c[i] = a[i] + b[i];
        for (int i = 0; i < N; i++)
            check_int("c", i, c[i], 2 * i);
#pragma omp target map(always, to: b) map(always, close, from: c)
        for (int i = 0; i < N; i++)
            c[i] = a[i] + b[i];
        for (int i = 0; i < N; i++)
            check_int("c", N + i, c[i], 1000 + 2 * i);
#pragma omp target map(present, tofrom: a) map(present, alloc: b)
        for (int i = 0; i < N; i++)
            a[i] += b[i];
#pragma omp target map(present, always, from: a) map(present, to: b)
        for (int i = 0; i < N; i++)
            a[i]++;
        for (int i = 0; i < N; i++)
            check_int("a", i, a[i], 1001 + 2 * i);
        for (int i = 0; i < N; i++)
            a[i] = 3;
#pragma omp target map(always, present, to: a)
        for (int i = 0; i < N; i++)
            a[i]++;
#pragma omp target map(always, tofrom: a[10:10])
        for (int i = 10; i < 20; i++)
            a[i] = 5;
        check_int("a", N, a[9], 3);
        check_int("a", N + 1, a[10], 5);
    }
    for (int i = 0; i < N; i++)
        check_int("a", 2 * N + i, a[i], i >= 10 && i < 20 ? 5 : 4);
    return finish();
}

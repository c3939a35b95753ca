// A structure and what its members point to on one directive: the pointers in the device's copy are the device's.
// expect: launches=3
// needs: separate
#include "../check.h"
#include <stdlib.h>

#define N 64

struct vectors {
    int n;
    int *a, *b;
};

static int sum_of(const struct vectors *v)
{
    int sum = 0;
    for (int i = 0; i < v->n; i++)
        sum += v->a[i];
    // Of the device's copy, which is not copied back.
    v->a[0] = 1000;
    return sum;
}

int main(void)
{
    struct vectors s = { N, malloc(N * sizeof(int)), malloc(N * sizeof(int)) };
    int *a = s.a, *b = s.b, sum = 0;
    for (int i = 0; i < N; i++)
        s.a[i] = i;
#pragma omp target teams distribute parallel for map(to: s) map(to: s.a[0:N]) map(from: s.b[0:N])
    for (int i = 0; i < N; i++)
        s.b[i] = 2 * s.a[i] + s.n;
    for (int i = 0; i < N; i++)
        check_int("b", i, s.b[i], 2 * i + N);
    // The host's pointers are as they were.
    check_int("pointers", 0, s.a == a && s.b == b, 1);

    // In the other order, of a pointer to the structure, and followed in a function.
    struct vectors *p = &s;
#pragma omp target map(to: p->a[0:N]) map(tofrom: p[0:1]) map(from: sum)
    {
        sum = sum_of(p);
        p->n = 3;
    }
    check_int("sum", 0, sum, N * (N - 1) / 2);
    check_int("device", 0, s.a[0], 0);
    check_int("n", 0, s.n, 3);
    check_int("pointers", 1, s.a == a && s.b == b, 1);
    s.n = N;
#pragma omp target data map(tofrom: s) map(tofrom: s.a[0:N])
    {
#pragma omp target
        for (int i = 0; i < s.n; i++)
            s.a[i]++;
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, s.a[i], i + 1);
    check_int("pointers", 2, s.a == a && s.b == b, 1);
    return finish();
}

// Elements and members are reduced as scalars are: at every level, with every operator and type (2.5.15, 2.9.11).
// expect: launches>=13
#include "check.h"
#define CHECK(condition) check_true(#condition, condition)
#include <stdlib.h>

struct pair {
    int count;
    double sum;
    signed char flags;
    struct { float most; unsigned long bits; } inner;
};

static int table[8];

#define N 1003

int main(void)
{
    int a[10];
    struct pair s = {5, 0.5, 0, {-1e30f, ~0ul}};
    struct pair *p = &s;
    for (int k = 0; k < 10; k++)
        a[k] = 100 * k;
    int n = N;

    /* An element of an array that the construct copies. */
#pragma acc parallel loop reduction(+ : a[3]) copy(a)
    for (int i = 0; i < n; i++) {
        a[3] += i;
        if (i == 7)
            a[8] = 77;
    }
    CHECK(a[3] == 300 + N * (N - 1) / 2);
    CHECK(a[8] == 77);
    CHECK(a[2] == 200 && a[4] == 400);

    /* Without a data clause, with a subscript that is a variable; no other element is touched. */
    int k = 5;
#pragma acc parallel loop reduction(max : a[k])
    for (int i = 0; i < n; i++)
        if (a[k] < (i * 7) % N + 600)
            a[k] = (i * 7) % N + 600;
    CHECK(a[5] == N - 1 + 600);

    /* Others elements are read in the same loop. */
#pragma acc parallel loop reduction(+ : a[0])
    for (int i = 0; i < n; i++)
        a[0] += a[1 + i % 2];
    CHECK(a[0] == 502 * 100 + 501 * 200);

    /* Zero iterations leave it alone. */
    n = 0;
#pragma acc parallel loop reduction(* : a[7]) copy(a)
    for (int i = 0; i < n; i++)
        a[7] *= 2;
    CHECK(a[7] == 700);
    n = N;

    /* Members, of several types. */
#pragma acc parallel loop reduction(+ : s.count, s.sum) reduction(max : s.inner.most) reduction(& : s.inner.bits) reduction(|| : s.flags)
    for (int i = 0; i < n; i++) {
        s.count++;
        s.sum += 0.25 * i;
        if (s.inner.most < i)
            s.inner.most = i;
        s.inner.bits &= ~(1ul << (i % 40));
        s.flags = s.flags || i == 77;
    }
    CHECK(s.count == 5 + N);
    CHECK(s.sum == 0.5 + 0.25 * N * (N - 1) / 2);
    CHECK(s.inner.most == N - 1);
    CHECK(s.inner.bits == ~0ul << 40);
    CHECK(s.flags == 1);

    /* A member through a pointer, in a data construct. */
#pragma acc data copy(p[0:1])
    {
#pragma acc parallel loop reduction(+ : p->count)
        for (int i = 0; i < n; i++)
            p->count -= 1;
    }
    CHECK(s.count == 5 - 0);

    /* A loop of a parallel construct, and one of kernels. */
#pragma acc parallel copy(table)
    {
#pragma acc loop gang vector reduction(+ : table[2])
        for (int i = 0; i < n; i++)
            table[2] += 2;
    }
#pragma acc kernels copy(table)
    {
#pragma acc loop reduction(^ : table[4])
        for (int i = 0; i < n; i++)
            table[4] ^= i;
    }
    int x = 0;
    for (int i = 0; i < n; i++)
        x ^= i;
    CHECK(table[2] == 2 * N);
    CHECK(table[4] == x);

    /* Another loop of the construct comes to the same element by another subscript. */
    int w[6] = {1, 2, 3, 4, 5, 6};
#pragma acc kernels copy(w)
    {
#pragma acc loop independent
        for (int i = 0; i < 6; i++)
            w[i] = 10 * i;
#pragma acc loop reduction(+ : w[2])
        for (int i = 0; i < n; i++)
            w[2] += 1;
#pragma acc loop independent
        for (int i = 0; i < 6; i++)
            w[i] += 1;
    }
    for (int i = 0; i < 6; i++)
        CHECK(w[i] == 10 * i + 1 + (i == 2 ? N : 0));

    /* By gangs outside and lanes inside. */
#pragma acc parallel loop gang reduction(+ : table[6]) copy(table)
    for (int i = 0; i < 17; i++) {
#pragma acc loop vector reduction(+ : table[6])
        for (int j = 0; j < n; j++)
            table[6] += j % 3;
    }
    CHECK(table[6] == 17 * (N / 3 * 3 + 0));

    /* One element for each gang, and its value is used afterwards. */
    double sums[9] = {0}, doubled[9];
#pragma acc parallel loop gang copy(sums) copyout(doubled)
    for (int i = 0; i < 9; i++) {
#pragma acc loop worker vector reduction(+ : sums[i])
        for (int j = 0; j < n; j++)
            sums[i] += i;
        doubled[i] = 2 * sums[i];
    }
    for (int i = 0; i < 9; i++) {
        CHECK(sums[i] == (double)i * N);
        CHECK(doubled[i] == 2.0 * i * N);
    }

    /* By one gang. */
    int *h = calloc(4, sizeof(int));
#pragma acc serial loop reduction(+ : h[1]) copy(h[0:4])
    for (int i = 0; i < n; i++)
        h[1] += i;
    CHECK(h[1] == N * (N - 1) / 2);

    /* On a queue. */
#pragma acc parallel loop reduction(+ : *h) copy(h[0:4]) async(3)
    for (int i = 0; i < n; i++)
        *h += 3;
#pragma acc wait(3)
    CHECK(*h == 3 * N);
    free(h);
    return finish();
}

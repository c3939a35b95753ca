// Every reduction operator on unsigned, wrapping where it must, each from a start value that counts.
// expect: launches>=11 uploads>=11
#include <limits.h>
#include "check.h"

#define N 1301
#define LOWEST 0u
#define HIGHEST UINT_MAX
#define ALL UINT_MAX

typedef unsigned T;

static T sum(const T a[N])
{
    T r = 11;
#pragma acc parallel loop copyin(a[0:N]) reduction(+ : r)
    for (int i = 0; i < N; i++)
        r += a[i];
    return r;
}

static T product(const T a[N])
{
    T r = 3;
#pragma acc parallel loop copyin(a[0:N]) reduction(* : r)
    for (int i = 0; i < N; i++)
        r = r * a[i];
    return r;
}

static T largest(const T a[N])
{
    T r = LOWEST;
#pragma acc parallel loop copyin(a[0:N]) reduction(max : r)
    for (int i = 0; i < N; i++)
        if (a[i] > r)
            r = a[i];
    return r;
}

static T smallest(const T a[N])
{
    T r = HIGHEST;
#pragma acc parallel loop copyin(a[0:N]) reduction(min : r)
    for (int i = 0; i < N; i++)
        r = a[i] < r ? a[i] : r;
    return r;
}

static T bits_and(const T a[N])
{
    T r = ALL;
#pragma acc parallel loop copyin(a[0:N]) reduction(& : r)
    for (int i = 0; i < N; i++)
        r &= a[i];
    return r;
}

static T bits_or(const T a[N])
{
    T r = 0;
#pragma acc parallel loop copyin(a[0:N]) reduction(| : r)
    for (int i = 0; i < N; i++)
        r = r | a[i];
    return r;
}

static T bits_xor(const T a[N])
{
    T r = 5;
#pragma acc parallel loop copyin(a[0:N]) reduction(^ : r)
    for (int i = 0; i < N; i++)
        r ^= a[i];
    return r;
}

static T all(const T a[N])
{
    T r = 1;
#pragma acc parallel loop copyin(a[0:N]) reduction(&& : r)
    for (int i = 0; i < N; i++)
        r = r && a[i];
    return r;
}

static T any(const T a[N])
{
    T r = 0;
#pragma acc parallel loop copyin(a[0:N]) reduction(|| : r)
    for (int i = 0; i < N; i++)
        r = r || a[i];
    return r;
}

int main(void)
{
    static T in[N], zeros[N], factors[N], masks[N];
    for (int i = 0; i < N; i++) {
        in[i] = 4000000000u + (unsigned)(i * 37) % 1009;
        factors[i] = i % 13 == 7 ? 3 : 1;
        masks[i] = ~(1u << (i % 30));
    }
    {
        T want = 11;
        for (int i = 0; i < N; i++)
            want += in[i];
        check_int("sum", 0, sum(in), want);
    }
    {
        T want = 3;
        for (int i = 0; i < N; i++)
            want = want * factors[i];
        check_int("product", 0, product(factors), want);
    }
    {
        T want = LOWEST;
        for (int i = 0; i < N; i++)
            if (in[i] > want)
                want = in[i];
        check_int("largest", 0, largest(in), want);
    }
    {
        T want = HIGHEST;
        for (int i = 0; i < N; i++)
            want = in[i] < want ? in[i] : want;
        check_int("smallest", 0, smallest(in), want);
    }
    {
        T want = ALL;
        for (int i = 0; i < N; i++)
            want &= masks[i];
        check_int("bits_and", 0, bits_and(masks), want);
    }
    {
        T want = 0;
        for (int i = 0; i < N; i++)
            want = want | in[i];
        check_int("bits_or", 0, bits_or(in), want);
    }
    {
        T want = 5;
        for (int i = 0; i < N; i++)
            want ^= in[i];
        check_int("bits_xor", 0, bits_xor(in), want);
    }
    {
        T want = 1;
        for (int i = 0; i < N; i++)
            want = want && in[i];
        check_int("all", 0, all(in), want);
    }
    {
        T want = 0;
        for (int i = 0; i < N; i++)
            want = want || zeros[i];
        check_int("any", 0, any(zeros), want);
    }
    zeros[N - 1] = 1;
    check_int("any", 1, any(zeros), 1);
    check_int("all", 1, all(factors), 1);
    return finish();
}

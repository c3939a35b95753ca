// Every reduction operator on float, each from a start value that counts.
// expect: launches>=8 uploads>=8
#include <float.h>
#include "check.h"

#define N 1301
#define LOWEST -FLT_MAX
#define HIGHEST FLT_MAX

typedef float T;

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
    static T in[N], zeros[N], factors[N];
    for (int i = 0; i < N; i++) {
        in[i] = ((i * 37) % 1009 - 400) * 0.25f;
        factors[i] = 1.0f + ((i * 7) % 5 - 2) * 0.001f;
    }
    {
        T want = 11;
        for (int i = 0; i < N; i++)
            want += in[i];
        check_near("sum", 0, sum(in), want, 1e-4);
    }
    {
        T want = 3;
        for (int i = 0; i < N; i++)
            want = want * factors[i];
        check_near("product", 0, product(factors), want, 1e-4);
    }
    {
        T want = LOWEST;
        for (int i = 0; i < N; i++)
            if (in[i] > want)
                want = in[i];
        check_near("largest", 0, largest(in), want, 1e-4);
    }
    {
        T want = HIGHEST;
        for (int i = 0; i < N; i++)
            want = in[i] < want ? in[i] : want;
        check_near("smallest", 0, smallest(in), want, 1e-4);
    }
    {
        T want = 1;
        for (int i = 0; i < N; i++)
            want = want && in[i];
        check_near("all", 0, all(in), want, 1e-4);
    }
    {
        T want = 0;
        for (int i = 0; i < N; i++)
            want = want || zeros[i];
        check_near("any", 0, any(zeros), want, 1e-4);
    }
    zeros[N - 1] = 1;
    check_int("any", 1, any(zeros), 1);
    check_int("all", 1, all(factors), 1);
    return finish();
}

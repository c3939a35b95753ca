// Data constructs inside each other that name different sections of one array, and `enter data` one after the other: a kernel uses
// the section that its subscripts tell, and where they do not tell, all sections lie in one place.
// expect: launches=14
#include "check.h"
#include <stdlib.h>

#define N 64

static int table[2 * N];

static void fill(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}

static void told_by_subscripts(int n, int *a)
{
    fill(2 * n, a);
#pragma acc data copy(a [0:n])
#pragma acc data copyout(a [n:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] = i * 3;
#pragma acc parallel loop
        for (int i = n; i < 2 * n; i++)
            a[i] = i * 5;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[n + i] += 1;
    }
    for (int i = 0; i < n; i++) {
        check_int("outer section", i, a[i], 3 * i);
        check_int("inner section", i, a[n + i], 5 * (n + i) + 1);
    }
}

static void one_covers_the_other(int n, int *a, int *at)
{
    fill(2 * n, a);
    fill(n, at);
#pragma acc data copy(a [0:2 * n]) copyin(at [0:n])
#pragma acc data copy(a [n:n])
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[n + at[i]] = a[at[i]] + 4;
    for (int i = 0; i < n; i++)
        check_int("inside the outer section", i, a[n + i], i + 4);
}

static void static_array(void)
{
    fill(2 * N, table);
#pragma acc data copyin(table [0:N])
#pragma acc data copy(table [N:N])
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            table[i] = -1;
#pragma acc parallel loop
        for (int i = N; i < 2 * N; i++)
            table[i] += 1;
    }
    for (int i = 0; i < N; i++) {
        check_int("copied in", i, table[i], i);
        check_int("copied", i, table[N + i], N + i + 1);
    }
}

// Who else is there does not matter where the construct's own clause says in which section it stays.
static void named_on_the_construct(int n, int *a, const int *at)
{
    fill(2 * n, a);
#pragma acc enter data copyin(a [0:n], at [0:n])
#pragma acc enter data copyin(a [n:n])
#pragma acc parallel loop present(a [n:n], at)
    for (int i = 0; i < n; i++)
        a[n + at[i]] = -a[n + at[i]];
#pragma acc parallel loop present(a [0:n], at)
    for (int i = 0; i < n; i++)
        a[at[i]] += 1;
#pragma acc exit data copyout(a [0:n], a [n:n]) delete (at)
    for (int i = 0; i < n; i++) {
        check_int("first", i, a[i], i + 1);
        check_int("second", i, a[n + i], -(n + i));
    }
}

static void both_at_once(int n, int *a)
{
    fill(2 * n, a);
#pragma acc data copyin(a [0:n])
#pragma acc data copyout(a [n:n])
    {
#pragma acc parallel loop async(1)
        for (int i = 0; i < n; i++)
            a[n + i] = a[i] * 2;
#pragma acc parallel loop async(1)
        for (int i = 0; i < n; i++)
            a[n + i] += a[i];
#pragma acc wait
    }
    for (int i = 0; i < n; i++)
        check_int("both", i, a[n + i], 3 * i);
}

static void static_array_both_at_once(void)
{
    fill(2 * N, table);
#pragma acc data copyin(table [0:N])
#pragma acc data copyout(table [N:N])
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        table[N + i] = table[i] * 2;
    for (int i = 0; i < N; i++)
        check_int("both of a static array", i, table[N + i], 2 * i);
}

static void one_after_the_other(int n, int *a)
{
    fill(3 * n, a);
#pragma acc enter data copyin(a [n:n])
#pragma acc enter data copyin(a [0:n])
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[n + i] += a[i];
#pragma acc exit data delete (a [n:n])
#pragma acc enter data copyin(a [2 * n:n]) copyin(a [n:n])
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[2 * n + i] += a[n + i];
#pragma acc exit data copyout(a [n:n], a [2 * n:n]) delete (a [0:n])
    for (int i = 0; i < n; i++) {
        check_int("left alone", i, a[i], i);
        check_int("brought anew", i, a[n + i], n + i);
        check_int("third", i, a[2 * n + i], 3 * n + 2 * i);
    }
}

static void move_row(int n, int *a, const int *at)
{
#pragma acc parallel loop default(present)
    for (int i = 0; i < n; i++)
        a[n + at[i]] = a[at[i]];
}

static void in_a_function(int n, int *a, int *at)
{
    fill(2 * n, a);
    fill(n, at);
#pragma acc enter data copyin(a [0:n], at [0:n])
#pragma acc enter data create(a [n:n])
    move_row(n, a, at);
#pragma acc exit data copyout(a [n:n]) delete (a [0:n], at [0:n])
    for (int i = 0; i < n; i++)
        check_int("in a function", i, a[n + i], i);
}

int main(void)
{
    int *a = malloc(3 * N * sizeof *a), *at = malloc(N * sizeof *at);
    told_by_subscripts(N, a);
    one_covers_the_other(N, a, at);
    static_array();
    named_on_the_construct(N, a, at);
    both_at_once(N, a);
    static_array_both_at_once();
    one_after_the_other(N, a);
    in_a_function(N, a, at);
    free(a);
    free(at);
    return finish();
}

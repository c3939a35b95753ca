// Loops over all pairs, whose elements blocks keep by themselves: first iterations that are not 0, loops that run zero
// times, structures, two loops, 64-bit counters, conditions; and what looks like one and is none.
// env: ACCL_RESIDENT_THREADS=1
// expect: launches=6
#include <stdlib.h>
#include "check.h"

#define N 777
#define M 600

struct body {
    double at, mass;
    int kind;
};

static int x[M], count[N];
static double y[M], sum[N], field[N];
static struct body bodies[M];

static void counts(int n, int from, int to)
{
#pragma acc parallel loop present(x, count)
    for (int i = 5; i < n; i++) {
        int less = 0;
        for (int j = from; j < to; j++)
            if (x[j] < i)
                less++;
        count[i] = less;
    }
}

static void fields(long n, long m)
{
#pragma acc parallel loop present(bodies, field)
    for (long i = 0; i < n; i++) {
        double here = i * 0.5, total = 0.0;
        for (long j = 0; j < m; j++) {
            double apart = bodies[j].at - here;
            total += bodies[j].kind == 1 ? bodies[j].mass * apart : 0.0;
        }
        field[i] = total;
    }
}

static void two(int n, int m)
{
#pragma acc parallel loop present(x, y, sum)
    for (int i = 0; i < n; i++) {
        double a = 0.0, b = 0.0;
        for (int j = 0; j < m; j++)
            a += y[j] * i;
        for (int j = 0; j < m - 1; j++)
            b += x[j] + y[j];
        sum[i] = a + b;
    }
}

/* The bound is the iteration's own. */
static void triangle(int n)
{
#pragma acc parallel loop present(y, sum)
    for (int i = 0; i < n; i++) {
        double a = 0.0;
        for (int j = 0; j < i; j++)
            a += y[j];
        sum[i] = a;
    }
}

int main(void)
{
    for (int j = 0; j < M; j++) {
        x[j] = (j * 37) % 500;
        y[j] = j % 9 - 4;
        bodies[j] = (struct body){j % 17, j % 5, j % 3};
    }
    for (int i = 0; i < N; i++)
        count[i] = -1;
#pragma acc data copyin(x, y, bodies) copy(count) create(sum, field)
    {
        counts(N, 3, M - 1);
#pragma acc update self(count)
        for (int i = 0; i < N; i++) {
            int less = 0;
            for (int j = 3; j < M - 1; j++)
                less += x[j] < i;
            check_int("count", i, count[i], i < 5 ? -1 : less);
        }
        counts(N, 10, 10);
#pragma acc update self(count)
        check_int("none", 0, count[N - 1], 0);
        fields(N, M);
#pragma acc update self(field)
        for (int i = 0; i < N; i++) {
            double total = 0.0;
            for (int j = 0; j < M; j++)
                total += bodies[j].kind == 1 ? bodies[j].mass * (bodies[j].at - i * 0.5) : 0.0;
            check_near("field", i, field[i], total, 1e-9);
        }
        two(N - 300, 256);
        two(N, M);
#pragma acc update self(sum)
        for (int i = 0; i < N; i++) {
            double total = 0.0;
            for (int j = 0; j < M; j++)
                total += y[j] * i + (j < M - 1 ? x[j] + y[j] : 0);
            check_near("sum", i, sum[i], total, 1e-9);
        }
        triangle(M);
#pragma acc update self(sum)
        for (int i = 0; i < M; i++) {
            double total = 0.0;
            for (int j = 0; j < i; j++)
                total += y[j];
            check_near("triangle", i, sum[i], total, 1e-9);
        }
    }
    return finish();
}

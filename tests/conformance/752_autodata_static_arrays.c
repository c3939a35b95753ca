// -gpu=autodata: global and static arrays, initialised or not, of functions, constant ones, by name and through pointers.
// flags: -gpu=autodata
// needs: runtime
#include "check.h"

#define N 5003

double before[7] = {1, 2, 3};
static double u[N], v[N] = {1.5, 2.5};
int counts[N] = {0}, after[3] = {4, 5, 6};
static const double table[N] = {[0] = 3, [N - 1] = 5};
extern float elsewhere[2][N];
float elsewhere[2][N];

static void add(double *p, const double *q, int n)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        p[i] += q[i];
}

static int calls(int n)
{
    static int seen[N];
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        seen[i] += i;
    return seen[n - 1];
}

int main(void)
{
    for (int i = 0; i < N; i++)
        u[i] = i;
    for (int step = 0; step < 4; step++) {
#pragma acc parallel loop
        for (int i = 1; i < N - 1; i++)
            u[i] = u[i] + v[i] + table[N - 1 - i];
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            counts[(i * 3) % N] = i, elsewhere[1][i] = counts[i];
    }
    for (int i = 0; i < N; i++)
        check_near("u", i, u[i], i + (i == 1 ? 4 * 2.5 : 0), 0);
    for (int i = 0; i < N; i++)
        check_int("counts", (i * 3) % N, counts[(i * 3) % N], i);
    v[N - 1] = 7;
    add(u, v, N);
    add(u, table, N);
    add(u + 1, u, 1);
    check_near("u", 0, u[0], 0 + 1.5 + 3, 0);
    check_near("u", 1, u[1], 1 + 10 + 2.5 + 4.5, 0);
    check_near("u", N - 1, u[N - 1], N - 1 + 7 + 5, 0);
    // Neighbours in memory.
    before[1] = 8;
    after[2] = 9;
    add(v, u, N);
    check_near("before", 1, before[1], 8, 0);
    check_int("after", 2, after[2], 9);
    check_near("v", 0, v[0], 1.5 + 4.5, 0);
    check_int("calls", 0, calls(N), N - 1);
    check_int("calls", 1, calls(N), 2 * (N - 1));
    before[0] = 0;
    add(before, before + 1, 1);
    check_near("before", 0, before[0], 8, 0);
    return finish();
}

// In `kernels`, loops that clauses give to gangs stand inside plain loops and under conditions that the device evaluates. What
// stands beside them is done once, however many gangs the clause asks for.
// expect: launches=4
#include "check.h"

#define N 300

static double a[N], b[2 * N], r[4];
static float flag[1];

// The plain loop, too, is independent: the host runs it, and launches the one inside.
static void plain_loop_around(int n)
{
#pragma acc kernels copyin(a) copy(b)
    for (int t = 0; t < 2; t++) {
#pragma acc loop gang vector
        for (int i = 0; i < n; i++)
            b[i + t % 2 * N] = a[i] + t;
    }
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < n; i++)
            check_near("around", i, b[i + t * N], a[i] + t, 0);
}

// Neither branch's other statements are repeated by each gang.
static void beside_loops(int n, float set)
{
    double s = 1.5;
    flag[0] = set;
    r[0] = r[1] = r[2] = 0;
#pragma acc kernels num_gangs(3) copyin(a) copy(b, r, flag, s)
    {
        if (flag[0] > 0) {
#pragma acc loop independent
            for (int i = 0; i < n; i++)
                b[i] = 2 * a[i];
            r[0] += b[n - 1];
#pragma acc loop gang vector reduction(+:s)
            for (int i = 0; i < n; i++)
                s += b[n - 1 - i];
        } else {
            for (int t = 0; t < 3; t++) {
                r[1] += s;
                s += 7;
            }
        }
        r[2] += s;
    }
    double ok = 1.5, sums = 0;
    if (set > 0)
        for (int i = 0; i < n; i++)
            ok += 2 * a[i];
    else
        for (int t = 0; t < 3; t++)
            sums += ok, ok += 7;
    check_near("beside", 0, r[0], set > 0 ? 2 * a[n - 1] : 0, 0);
    check_near("beside", 1, r[1], sums, 0);
    check_near("beside", 2, r[2], ok, 1e-12);
    check_near("beside", 3, s, ok, 1e-12);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i % 7;
    plain_loop_around(N);
    beside_loops(N - 3, 1);
    beside_loops(N - 3, -1);
    return finish();
}

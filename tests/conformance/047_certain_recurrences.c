// Loops that a directive calls independent and that carry a dependence for certain: they run in order, with one gang
// where no parallel loop is around them. What may be a dependence only stays parallel.
#include "check.h"

#define N 40
#define M 70

static double a[N][M], b[N][M], w[N][M], s[M], ws[M], f[N], wf[N], scratch[4], t[N], wt[N];
static int flag[1], e[M], we[M];

static void recurrences(int n, int m)
{
#pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++) {
#pragma acc loop
        for (int j = 1; j < m; j++)
            a[i][j] = a[i][j - 1] + 1;
    }
    // Backwards, in steps.
#pragma acc parallel copy(e)
    {
#pragma acc loop gang vector
        for (int j = m - 3; j >= 0; j -= 2)
            e[j] = (e[j + 2] * 3 + 1) % 1000;
    }
}

// Each iteration of the outer loop goes over all of s.
static void columns(int n, int m)
{
#pragma acc parallel loop num_gangs(8) copyin(a) copy(s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s[j] = s[j] * 0.5 + a[i][j];
}

// Not a reduction.
static void element(int n, int m)
{
#pragma acc parallel loop gang copyin(a) copy(f)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            f[i] = f[i] * 0.5 + a[i][j];
    }
}

// Room for one iteration that all of them share.
static void shared_room(int n)
{
#pragma acc parallel loop copyin(a) create(scratch) copyout(t)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            scratch[k] = a[i][k] * k;
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += scratch[k];
        t[i] = sum;
    }
}

// All iterations store the same.
static void same_value(int m)
{
#pragma acc parallel loop copyin(e) copy(flag)
    for (int j = 0; j < m; j++)
        flag[0] = 1;
}

// Collapsed: the loops in front stay parallel, the dependence is the last one's.
static void collapsed(int n, int m)
{
#pragma acc parallel loop collapse(3) copy(b)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 1; k < m / 5; k++)
                b[i][j * (m / 5) + k] = b[i][j * (m / 5) + k - 1] + j;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            a[i][j] = (i * 3 + j) % 7;
            b[i][j] = w[i][j] = i + j;
        }
        f[i] = wf[i] = i;
    }
    for (int j = 0; j < M; j++) {
        e[j] = we[j] = j % 3;
        s[j] = ws[j] = j;
    }
    recurrences(N, M);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("a", i * M + j, a[i][j], (i * 3) % 7 + j, 0);
    for (int j = M - 3; j >= 0; j -= 2)
        we[j] = (we[j + 2] * 3 + 1) % 1000;
    columns(N, M);
    element(N, M);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            ws[j] = ws[j] * 0.5 + a[i][j];
            wf[i] = wf[i] * 0.5 + a[i][j];
        }
    shared_room(N);
    for (int i = 0; i < N; i++)
        wt[i] = a[i][1] + 2 * a[i][2] + 3 * a[i][3];
    same_value(M);
    check_int("flag", 0, flag[0], 1);
    collapsed(N, M);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 1; k < M / 5; k++)
                w[i][j * (M / 5) + k] = w[i][j * (M / 5) + k - 1] + j;
    for (int j = 0; j < M; j++)
        check_int("e", j, e[j], we[j]);
    for (int j = 0; j < M; j++)
        check_near("s", j, s[j], ws[j], 0);
    for (int i = 0; i < N; i++) {
        check_near("f", i, f[i], wf[i], 0);
        check_near("t", i, t[i], wt[i], 0);
        for (int j = 0; j < M; j++)
            check_near("b", i * M + j, b[i][j], w[i][j], 0);
    }
    return finish();
}

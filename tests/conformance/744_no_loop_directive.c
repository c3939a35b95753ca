// `parallel` without a loop directive: all gangs would do the same, so the construct is run as `kernels`: a time step around a
// stencil becomes a launch each, and a sum, a division and a sweep launches of their own. Where a clause counts the gangs, or a
// scalar's value is not copied back, it stays as it is.
// expect: launches=17
#include "check.h"

enum { N = 1000, STEPS = 5 };
static double a[N], b[N], q[40][30];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i % 7;
    double norm;
#pragma acc data copy(a, b)
    {
#pragma acc parallel
        {
            for (int t = 0; t < STEPS; t++) {
                for (int i = 1; i < N - 1; i++)
                    b[i] = 0.5 * (a[i - 1] + a[i + 1]);
                for (int i = 1; i < N - 1; i++)
                    a[i] = b[i];
            }
        }
    }
    double x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = y[i] = i % 7;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            y[i] = 0.5 * (x[i - 1] + x[i + 1]);
        for (int i = 1; i < N - 1; i++)
            x[i] = y[i];
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], x[i], 0);

    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            q[i][j] = i == j ? 4 : (i + 2 * j) % 3;
#pragma acc parallel copy(q)
    for (int k = 0; k < 3; k++) {
        norm = 0;
        for (int i = 0; i < 40; i++)
            norm += q[i][k] * q[i][k];
        for (int j = k + 1; j < 30; j++)
            for (int i = 0; i < 40; i++)
                q[i][j] -= q[i][k] / norm;
    }
    double r[40][30];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            r[i][j] = i == j ? 4 : (i + 2 * j) % 3;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < 40; i++)
            sum += r[i][k] * r[i][k];
        for (int j = k + 1; j < 30; j++)
            for (int i = 0; i < 40; i++)
                r[i][j] -= r[i][k] / sum;
    }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            check_near("q", i * 30 + j, q[i][j], r[i][j], 1e-12);

    /* The copies that gangs have of `last` are lost. */
    int last = -1;
#pragma acc parallel copy(a)
    for (int i = 0; i < N; i++) {
        last = i;
        a[i] += last;
    }
    check_int("last", 0, last, -1);
    for (int i = 0; i < N; i++)
        check_near("a + i", i, a[i], x[i] + i, 0);
    return finish();
}

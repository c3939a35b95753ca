// A sequential loop in kernels, around parallel ones: the host runs it, each parallel nest is a kernel. The arrays
// are transferred once, and pointers to them may change places meanwhile.
// expect: launches=14 uploads=5 downloads=4
#include "check.h"

#define N 130
#define STEPS 5

static void serial(double *a, double *b, const double *c)
{
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1] + c[i];
        for (int i = 1; i < N - 1; i++)
            a[i] = b[i] - t;
    }
}

static double a[N], b[N], c[N], wa[N], wb[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = wa[i] = i % 7;
        b[i] = wb[i] = 0;
        c[i] = 0.125 * (i % 3);
    }
#pragma acc kernels
    {
        for (int t = 0; t < STEPS; t++) {
            for (int i = 1; i < N - 1; i++)
                b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1] + c[i];
            for (int i = 1; i < N - 1; i++)
                a[i] = b[i] - t;
        }
    }
    serial(wa, wb, c);
    double *old = a, *new = b;
#pragma acc kernels loop seq copy(old[0:N], new[0:N])
    for (int t = 0; t < 4; t++) {
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            new[i] = old[N - 1 - i] + t;
        double *other = old;
        old = new;
        new = other;
    }
    double *from = wa, *to = wb;
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < N; i++)
            to[i] = from[N - 1 - i] + t;
        double *other = from;
        from = to;
        to = other;
    }
    check_true("the pointers changed places on the host", old == a && new == b);
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], wa[i], 1e-12);
        check_near("b", i, b[i], wb[i], 1e-12);
    }
    return finish();
}

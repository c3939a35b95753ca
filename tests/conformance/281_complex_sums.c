// Sums of complex numbers at all levels of parallelism are those of their parts, on the device.
// expect: launches>=11
#include "check.h"
#include <complex.h>

#define N 60

static double complex a[N];
static float complex f[N];

static void check_complex(const char *what, double complex got, double complex want)
{
    check_near(what, 0, creal(got), creal(want), 1e-5);
    check_near(what, 1, cimag(got), cimag(want), 1e-5);
}

static void add_to(double complex *sum, double complex x)
{
    *sum += x;
}

int main(void)
{
    double complex want = 0, squares = 0;
    for (int i = 0; i < N; i++) {
        a[i] = 1 + i * 0.25 - (i % 7) * 0.5 * I;
        f[i] = a[i];
        want += a[i];
        squares += a[i] * a[i];
    }

    double complex s = 2;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < N; i++)
        s += a[i];
    check_complex("loop", s, 2 + want);

    s = I;
#pragma acc parallel reduction(+:s)
    {
#pragma acc loop gang vector reduction(+:s)
        for (int i = 0; i < N; i++)
            s = s + a[i] * a[i];
    }
    check_complex("parallel", s, I + squares);

    s = 0;
#pragma acc parallel loop gang reduction(+:s)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector reduction(+:s)
        for (int j = 0; j < N; j++)
            s += a[j] / 2;
    }
    check_complex("nest", s, want * N / 2);

    double complex rows[N];
#pragma acc parallel loop gang copyout(rows)
    for (int i = 0; i < N; i++) {
        double complex row = i;
        float complex short_row = 0;
#pragma acc loop worker vector reduction(+:row, short_row)
        for (int j = 0; j <= i; j++) {
            row += a[j];
            if (j % 2)
                short_row += f[j];
        }
        rows[i] = row + short_row;
    }
    for (int i = 0; i < N; i++) {
        double complex row = i;
        for (int j = 0; j <= i; j++)
            row += j % 2 ? 2 * a[j] : a[j];
        check_complex("rows", rows[i], row);
    }

    s = 0;
#pragma acc kernels
#pragma acc loop independent reduction(+:s)
    for (int i = 0; i < N; i++)
        s += conj(a[i]);
    check_complex("kernels", s, conj(want));

    double complex several[3] = {0, 1, 2};
#pragma acc parallel loop collapse(2) reduction(+:several[1])
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 4; j++)
            several[1] += a[i] * j;
    check_complex("element", several[1], 1 + want * 6);
    check_complex("others", several[0] + several[2], 2);

    struct { double complex sum; int count; } all = {0, 0};
#pragma acc parallel loop reduction(+:all.sum, all.count)
    for (int i = 0; i < N; i++) {
        all.sum -= a[i];
        all.count++;
    }
    check_complex("member", all.sum, -want);
    check_int("member", 2, all.count, N);

    /* Elements that iterations choose, by a reduction and by atomic updates. */
#pragma acc parallel loop reduction(+:several[0:2])
    for (int i = 0; i < N; i++)
        several[i % 2] += a[i];
    check_complex("section", several[0] + several[1], 1 + want * 7);
#pragma acc parallel loop copy(several)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        several[i % 3] -= a[i];
    }
    check_complex("atomic", several[0] + several[1] + several[2], 3 + want * 6);

    /* A function adds to the number: threads have copies of it. */
    s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < N; i++)
        add_to(&s, a[i]);
    check_complex("function", s, want);

    /* The number as a whole, beside its sum. */
    s = 0;
    double complex seen = 0;
#pragma acc serial loop reduction(+:s)
    for (int i = 0; i < N; i++) {
        s += a[i];
        seen = s;
    }
    check_complex("serial", s + seen, 2 * want);
    return finish();
}

// Scalars between the host's part of a kernels construct and its kernels: computed on the host, reduced, read from
// an array by a serial kernel, private in several loops.
// expect: launches=18
#include "check.h"

#define N 40

int main(void)
{
    double x[N], y[N], norms[4], want[N], v[N], scale = 0.5, temp, last = 0, sum = 0;
    int i, round, choice = 3;
    for (i = 0; i < N; i++) {
        x[i] = want[i] = 1 + i % 5;
        y[i] = v[i] = 0;
    }
    // In each round: a loop with `first`, a reduction, a serial kernel for norms, and last a loop
    // under a condition of the host's, twice.
#pragma acc kernels
    {
        last = 7;
        for (round = 0; round < 4; round++) {
            double step = scale * (round + 1), first = x[round], both = step + 1;
            for (i = 0; i < N; i++) {
                temp = x[i] * step;
                y[i] = temp + first * both;
            }
            sum = 0;
            for (i = 0; i < N; i++)
                sum += y[i];
            norms[round] = sum;
            for (i = 0; i < N; i++) {
                temp = y[i] / sum;
                x[i] += temp;
            }
            last = sum + round;
            if (round >= choice - 1) {
                for (i = 0; i < N; i++)
                    y[i] = -y[i];
            } else
                last++;
        }
    }
    double want_last = 7, want_sum = 0, want_norms[4];
    for (round = 0; round < 4; round++) {
        double step = scale * (round + 1), first = want[round], both = step + 1;
        for (i = 0; i < N; i++)
            v[i] = want[i] * step + first * both;
        want_sum = 0;
        for (i = 0; i < N; i++)
            want_sum += v[i];
        want_norms[round] = want_sum;
        for (i = 0; i < N; i++)
            want[i] += v[i] / want_sum;
        want_last = want_sum + round;
        if (round >= choice - 1) {
            for (i = 0; i < N; i++)
                v[i] = -v[i];
        } else
            want_last++;
    }
    for (i = 0; i < N; i++) {
        check_near("x", i, x[i], want[i], 1e-12);
        check_near("y", i, y[i], v[i], 1e-12);
    }
    for (i = 0; i < 4; i++)
        check_near("norms", i, norms[i], want_norms[i], 1e-12);
    check_near("sum", 0, sum, want_sum, 1e-12);
    check_near("last", 0, last, want_last, 1e-12);
    return finish();
}

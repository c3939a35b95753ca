// A compressed array whose range is given by its data: zeros, one value, one-sided; values that do not fit are counted.
// flags: --no-check
// expect-stderr: warning: 3 values of small lie outside of its range, -1 to 1, or are no numbers
#include "check.h"
#include <math.h>

enum { N = 777 };

static float zeros[N], one[N], sided[N], small[N], out[N];

static void read_back(const float *restrict a, int n)
{
#pragma acc parallel loop compression(a) present(a[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; i++)
        out[i] = a[i];
}

static void read_affine(const float *restrict a, int n)
{
#pragma acc parallel loop compression(scheme(affine): a) present(a[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; i++)
        out[i] = a[i];
}

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        one[i] = -7.25f;
        sided[i] = 1000.0f + (float)i / n;
        small[i] = (float)i / n;
    }
#pragma acc data ccopyin(zeros[0:n])
    read_back(zeros, n);
    for (int i = 0; i < n; i++)
        check_true("all zeros stay zero", out[i] == 0);

#pragma acc data ccopyin(one[0:n])
    read_back(one, n);
    for (int i = 0; i < n; i++)
        check_near("one value", i, out[i], -7.25, 7.25 / 65536);
#pragma acc data ccopyin(scheme(affine): one[0:n])
    read_affine(one, n);
    for (int i = 0; i < n; i++)
        check_true("one value is exact in its own range", out[i] == -7.25f);

#pragma acc data ccopyin(scheme(affine): sided[0:n])
    read_affine(sided, n);
    for (int i = 0; i < n; i++)
        check_true("one-sided values waste no range", fabsf(out[i] - sided[i]) <= 2e-4f);

    small[5] = 2;
    small[6] = -INFINITY;
    small[7] = NAN;
#pragma acc data ccopyin(small[0:n:-1:1])
    read_back(small, n);
    check_near("past the end", 5, out[5], 1, 1.1 / 65536);
    check_near("past the other end", 6, out[6], -1, 1.1 / 65536);
    check_near("no number", 7, out[7], 0, 1.1 / 65536);
    check_near("inside", 8, out[8], small[8], 1.1 / 65536);
    return finish();
}

// Arrays that kernels read many times are read from a decoded copy, which is made anew once they are written.
// expect: launches=11 uploads=5 downloads=3
#include "check.h"
#include <math.h>

enum { N = 700 };

struct pair {
    double x, y;
};

static float a[N], b[N];
static double packed[N], sums[N];
static struct pair pairs[N];

static void sum_all(int n)
{
#pragma acc parallel loop compression(a, pairs) compression(bits(20): packed) present(a[0:n], packed[3:n - 3], pairs[0:n], sums[0:n])
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 3; j < n; j++)
            sum += a[j] * packed[j] + pairs[j].x * pairs[j].y * i;
        sums[i] = sum;
    }
}

static void check(int n)
{
    for (int i = 0; i < n; i += 50) {
        double want = 0;
        for (int j = 3; j < n; j++)
            want += a[j] * packed[j] + pairs[j].x * pairs[j].y * i;
        check_near("sum", i, sums[i], want, 2e-2);
    }
}

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        a[i] = sinf((float)i);
        packed[i] = cos(i);
        pairs[i].x = i % 3;
        pairs[i].y = 0.25;
    }
#pragma acc data ccopyin(a[0:n:-2:2]) ccopyin(bits(20): packed[3:n - 3:-2:2]) ccopyin(pairs[0:n:-4:4]) create(sums[0:n])
    {
        sum_all(n);
        sum_all(n);
#pragma acc update self(sums)
        check(n);
        /* Written by a kernel, and by the host. */
#pragma acc parallel loop compression(a) present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] *= 0.5f;
        for (int i = 0; i < n; i++) {
            a[i] *= 0.5f;
            packed[i] = -packed[i];
        }
#pragma acc update device(packed[3:n - 3])
        sum_all(n);
#pragma acc update self(sums)
        check(n);
    }

    /* Small arrays, read by one kernel after another. */
#pragma acc data ccopyin(a[0:n:-2:2]) copyout(b[0:n])
    {
        for (int step = 0; step < 6; step++) {
#pragma acc parallel loop compression(a) present(a[0:n], b[0:n]) async(1)
            for (int i = 1; i < n - 1; i++)
                b[i] = a[i - 1] + a[i + 1] + step;
        }
#pragma acc parallel loop compression(a) present(a[0:n], b[0:n]) async(2) wait(1)
        for (int i = 1; i < n - 1; i++)
            b[i] += a[i];
#pragma acc wait
    }
    for (int i = 1; i < n - 1; i++)
        check_near("b", i, b[i], a[i - 1] + a[i + 1] + 5 + a[i], 1e-3);
    return finish();
}

// Compute constructs that cannot be translated run on the host with what the device has, whatever the host's own contents are.
// needs: separate
// expect: launches=2
// expect-stderr: run construct on host .* line=30
#include "check.h"

#define N 200

static float half(float x) { return 0.5f * x; }

static float x[N], y[N], z[N];

int main(void)
{
    float (*volatile f)(float) = half;
    int n = N, scalar = 3, copied = 4;
    for (int i = 0; i < N; i++)
        x[i] = z[i] = i;
#pragma acc data copyin(x) copyout(y) copy(n)
    {
#pragma acc enter data create(z)
        for (int i = 0; i < N; i++)
            x[i] = y[i] = -1;
        n = 1;
#pragma acc parallel loop present(x, y, z)
        for (int i = 0; i < N; i++) {
            x[i] += 1;
            z[i] = 2 * i;
        }
#pragma acc parallel loop copy(copied) present(z)
        for (int i = 0; i < n; i++) {
            y[i] = f(x[i]) + z[i];
            x[i] = 0;
            scalar = i;
            copied = i;
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            y[i] += x[i];
        check_int("n", 0, n, 1);
        check_int("copied", 0, copied, N - 1);
        check_int("scalar", 0, scalar, 3);
#pragma acc exit data delete(z)
    }
    check_int("n", 1, n, N);
    for (int i = 0; i < N; i++) {
        check_near("y", i, y[i], 0.5 * (i + 1) + 2 * i, 0);
        check_near("x", i, x[i], -1, 0);
        check_near("z", i, z[i], i, 0);
    }
    return finish();
}

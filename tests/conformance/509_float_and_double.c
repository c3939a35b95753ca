// Constants with and without f, promotion to double in the middle of an expression, conversion back:
// bit-equal results where rounding is defined.
// expect: launches=1 uploads=1 downloads=4
#include "check.h"

#define N 256

int main(void)
{
    float x[N], third_float[N], third_double[N];
    double sum[N];
    int steps[N];
    for (int i = 0; i < N; i++)
        x[i] = 1.0f + i / 7.0f;
#pragma acc parallel loop copyin(x) copyout(third_float, third_double, sum, steps)
    for (int i = 0; i < N; i++) {
        third_float[i] = x[i] * 0.1f;
        third_double[i] = x[i] * 0.1;
        sum[i] = x[i] * (double)x[i] + 1e-9;
        double narrow = (float)(x[i] + 1e-9);
        steps[i] = (narrow == x[i]) + 2 * (x[i] + 1e-9 == x[i]) + 4 * (0.1f == 0.1) +
                   8 * (x[i] / 3 * 3 == x[i]) + 16 * (1 / 2 * x[i] == 0);
    }
    for (int i = 0; i < N; i++) {
        volatile float a = x[i] * 0.1f, third = x[i] / 3, back = third * 3;
        volatile double product = x[i] * (double)x[i];
        check_near("third_float", i, third_float[i], a, 0.0);
        check_near("third_double", i, third_double[i], (float)(x[i] * 0.1), 0.0);
        check_near("sum", i, sum[i], product + 1e-9, 1e-16);
        check_int("steps", i, steps[i], 1 + 8 * (back == x[i]) + 16);
    }
    return finish();
}

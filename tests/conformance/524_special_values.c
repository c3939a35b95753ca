// Infinities, NaN and signed zeros: produced by arithmetic, compared, chosen by fmin and fmax.
// expect: launches=1 uploads=1 downloads=2
#include <float.h>
#include "check.h"

#define N 6

int main(void)
{
    double x[N] = {0.0, -0.0, 1.0, INFINITY, -INFINITY, NAN}, got[N][5];
    int compare[N];
#pragma acc parallel loop copyin(x) copyout(got, compare)
    for (int i = 0; i < N; i++) {
        got[i][0] = 1.0 / x[i];
        got[i][1] = x[i] - x[i];
        got[i][2] = fmin(x[i], 5.0);
        got[i][3] = x[i] > 0.0 ? x[i] : -x[i];
        got[i][4] = x[i] * DBL_MAX * 2.0;
        compare[i] = (x[i] == x[i]) + 2 * (x[i] < 1.0) + 4 * (x[i] >= 1.0) + 8 * !(x[i] > 0.0) +
                     16 * (x[i] != 0.0) + 32 * (x[i] < INFINITY);
    }
    const double want[N][5] = {
        {INFINITY, 0.0, 0.0, -0.0, 0.0},   {-INFINITY, 0.0, -0.0, 0.0, -0.0},
        {1.0, 0.0, 1.0, 1.0, INFINITY},    {0.0, NAN, 5.0, INFINITY, INFINITY},
        {-0.0, NAN, -INFINITY, INFINITY, -INFINITY}, {NAN, NAN, 5.0, NAN, NAN},
    };
    const int want_compare[N] = {43, 43, 53, 21, 59, 24};
    for (int i = 0; i < N; i++) {
        check_int("compare", i, compare[i], want_compare[i]);
        for (int k = 0; k < 5; k++) {
            int same = isnan(want[i][k]) ? isnan(got[i][k]) != 0 : got[i][k] == want[i][k];
            check_int("same", i * 5 + k, same, 1);
        }
    }
    return finish();
}

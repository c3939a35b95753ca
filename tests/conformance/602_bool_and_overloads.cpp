// bool, overloaded functions and default arguments in kernels.
// expect: launches=1 uploads=2 downloads=2
#include "check.h"

#pragma acc routine seq
static int twice(int x) { return 2 * x; }
#pragma acc routine seq
static double twice(double x) { return 2.5 * x; }
#pragma acc routine seq
static double twice(double x, int extra) { return 2.0 * x + extra; }
#pragma acc routine seq
static int clamp(int x, int low = 0, int high = 50) { return x < low ? low : x > high ? high : x; }

int main()
{
    const int n = 99;
    bool odd[n], flipped[n];
    double a[n], out[n];
    for (int i = 0; i < n; i++) {
        odd[i] = i % 2;
        a[i] = 0.25 * i;
    }
#pragma acc parallel loop copyin(odd, a) copyout(flipped, out)
    for (int i = 0; i < n; i++) {
        bool both = odd[i] && a[i] > 10.0;
        flipped[i] = !odd[i] or both;
        out[i] = twice(i) + twice(a[i]) + twice(a[i], 7) + clamp(i) + clamp(i, 20) +
                 clamp(i, 30, 40);
    }
    for (int i = 0; i < n; i++) {
        check_int("flipped", i, flipped[i], i % 2 == 0 || i > 40);
        int clamped = (i > 50 ? 50 : i) + (i < 20 ? 20 : i > 50 ? 50 : i);
        clamped += i < 30 ? 30 : i > 40 ? 40 : i;
        check_near("out", i, out[i], 2 * i + 4.5 * 0.25 * i + 7 + clamped, 1e-14);
    }
    return finish();
}

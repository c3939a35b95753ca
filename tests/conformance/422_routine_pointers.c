// Routines with pointer arguments: to elements of device arrays, to locals of the caller as results,
// to a private array; void routines, early returns.
// expect: launches=1 uploads=1 downloads=2
#include "check.h"

#define N 301
#define W 4

#pragma acc routine seq
static void extremes(const float *x, int n, float *low, float *high)
{
    *low = *high = x[0];
    for (int i = 1; i < n; i++) {
        if (x[i] < *low)
            *low = x[i];
        if (x[i] > *high)
            *high = x[i];
    }
}

#pragma acc routine seq
static void reverse(float x[W])
{
    for (int i = 0; i < W / 2; i++) {
        float swap = x[i];
        x[i] = x[W - 1 - i];
        x[W - 1 - i] = swap;
    }
}

#pragma acc routine seq
static int first_above(const float *x, int n, float limit)
{
    for (int i = 0; i < n; i++)
        if (x[i] > limit)
            return i;
    return -1;
}

int main(void)
{
    float in[N + W], spread[N];
    int where[N];
    for (int i = 0; i < N + W; i++)
        in[i] = (i * 29) % 83;
#pragma acc parallel loop copyin(in) copyout(spread, where)
    for (int i = 0; i < N; i++) {
        float low, high, window[W];
        extremes(&in[i], W, &low, &high);
        spread[i] = high - low;
        for (int k = 0; k < W; k++)
            window[k] = in[i + k];
        reverse(window);
        where[i] = first_above(window, W, 40.0f);
    }
    for (int i = 0; i < N; i++) {
        float low = in[i], high = in[i];
        int at = -1;
        for (int k = W - 1; k >= 0; k--) {
            low = fminf(low, in[i + k]);
            high = fmaxf(high, in[i + k]);
            if (in[i + k] > 40.0f && at < 0)
                at = W - 1 - k;
        }
        check_near("spread", i, spread[i], high - low, 0.0);
        check_int("where", i, where[i], at);
    }
    return finish();
}

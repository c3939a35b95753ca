// Several variables in one reduction clause, several clauses on one loop, of different types.
// expect: launches=1 uploads>=1
#include "check.h"

#define N 2049

int main(void)
{
    static double a[N];
    double sum = 1.0, squares = 2.0, largest = -1e300;
    float smallest = 1e30f;
    long odd = 0;
    int any_negative = 0;
    for (int i = 0; i < N; i++)
        a[i] = (i * 53) % 301 - 20;
#pragma acc parallel loop copyin(a) reduction(+ : sum, squares, odd) reduction(max : largest) \
    reduction(min : smallest) reduction(|| : any_negative)
    for (int i = 0; i < N; i++) {
        sum += a[i];
        squares += a[i] * a[i];
        odd += (long)a[i] & 1;
        largest = fmax(largest, a[i]);
        smallest = fminf(smallest, (float)a[i]);
        any_negative = any_negative || a[i] < 0.0;
    }
    double want_sum = 1.0, want_squares = 2.0, want_largest = -1e300, want_smallest = 1e30;
    long want_odd = 0;
    for (int i = 0; i < N; i++) {
        want_sum += a[i];
        want_squares += a[i] * a[i];
        want_odd += (long)a[i] & 1;
        want_largest = fmax(want_largest, a[i]);
        want_smallest = fmin(want_smallest, a[i]);
    }
    check_near("sum", 0, sum, want_sum, 1e-14);
    check_near("squares", 0, squares, want_squares, 1e-14);
    check_int("odd", 0, odd, want_odd);
    check_near("largest", 0, largest, want_largest, 0.0);
    check_near("smallest", 0, smallest, want_smallest, 0.0);
    check_int("any_negative", 0, any_negative, 1);
    return finish();
}

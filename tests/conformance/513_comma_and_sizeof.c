// The comma operator, in expressions and in for headers of inner loops; sizeof of types, arrays
// and expressions, which evaluates nothing.
// expect: launches=1 uploads=1 downloads=2
#include "check.h"

#define N 85

int main(void)
{
    int a[N], b[N];
    long sizes[N];
    for (int i = 0; i < N; i++)
        a[i] = (i * 11) % 23;
#pragma acc parallel loop copyin(a) copyout(b, sizes)
    for (int i = 0; i < N; i++) {
        int t, u, steps = 0;
        t = (u = a[i] + 1, u * 2);
        for (int low = 0, high = t; low < high; low++, high--)
            steps += high - low;
        b[i] = (t++, u += t, steps + u);
        double local[6];
        int k = 3;
        sizes[i] = sizeof(double) + sizeof local + sizeof(local[k++]) + sizeof a[0] + k;
    }
    for (int i = 0; i < N; i++) {
        int u = a[i] + 1, t = 2 * u, steps = 0;
        for (int low = 0; low < t - low; low++)
            steps += t - 2 * low;
        check_int("b", i, b[i], steps + u + t + 1);
        check_int("sizes", i, sizes[i], 8 + 48 + 8 + 4 + 3);
    }
    return finish();
}

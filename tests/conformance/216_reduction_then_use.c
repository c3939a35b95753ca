// The host reads the reduced value at once and the next kernel uses it: normalise a vector.
// expect: launches=10 uploads>=1 downloads>=1
#include "check.h"

#define N 1111

int main(void)
{
    static double a[N], want[N];
    for (int i = 0; i < N; i++)
        a[i] = want[i] = 1.0 + i % 7;
#pragma acc data copy(a)
    for (int step = 0; step < 5; step++) {
        double squares = 0.0;
#pragma acc parallel loop reduction(+ : squares)
        for (int i = 0; i < N; i++)
            squares += a[i] * a[i];
        double scale = 1.0 / sqrt(squares);
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            a[i] = a[i] * scale + step;
    }
    for (int step = 0; step < 5; step++) {
        double squares = 0.0;
        for (int i = 0; i < N; i++)
            squares += want[i] * want[i];
        for (int i = 0; i < N; i++)
            want[i] = want[i] / sqrt(squares) + step;
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], want[i], 1e-12);
    return finish();
}

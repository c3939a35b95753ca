// The modifiers of `linear` behind its list, in constructs for devices: OpenMP 5.2 §5.4.6.
// gcc: rejects, these modifiers are of OpenMP 5.2
#include "../check.h"

#define N 64

int main(void)
{
    int a[N], j = 5;
#pragma omp target parallel for linear(j : step(2)) map(from: a) map(tofrom: j)
    for (int i = 0; i < N; i++) {
        a[i] = j;
        j += 2;
    }
    for (int i = 0; i < N; i++)
        check_int("step", i, a[i], 5 + 2 * i);
    check_int("last", 0, j, 5 + 2 * N);

    j = 0;
#pragma omp target simd linear(j : val, step(1)) map(from: a)
    for (int i = 0; i < N; i++) {
        a[i] = j;
        j++;
    }
    for (int i = 0; i < N; i++)
        check_int("val", i, a[i], i);
    return finish();
}

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <immintrin.h>

#ifdef __clang__
#error "gcc preprocesses"
#endif
#define LANES 64
#define SWEEP(n) _Pragma("acc parallel loop vector_length(LANES) copy(a)") for (int i = 0; i < n; i++)

/* Of gcc alone. */
static __attribute__((optimize("O1"), noclone)) int four(void)
{
    return __GNUC__ >= 5 ? 4 : 0;
}

double norm(const double *x, int n);

int main(void)
{
    double a[100];
    int by = four();
    __m128 ones = _mm_set1_ps(1.0f);
    float one[4];
    _mm_storeu_ps(one, ones);
    for (int i = 0; i < 100; i++)
        a[i] = i;
    SWEEP(100)
        a[i] = sqrt(a[i] * a[i]) + (a[i] < DBL_MAX) - one[0];
#define GANGS 4
#pragma acc parallel loop num_gangs(GANGS * 2) copy(a)
    for (int i = 0; i < 100; i++)
        a[i] += by;
    printf("%g %g %g\n", a[0], a[99], norm(a, 100));
    return a[99] == 103 ? EXIT_SUCCESS : EXIT_FAILURE;
}

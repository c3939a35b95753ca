// Iterations of a `simd` loop may depend on those `safelen` before them; where they do not they run side by side.
#include "../check.h"

#define N 5000

int main(void)
{
    int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
#pragma omp target simd safelen(4) map(tofrom: a)
    for (int i = 4; i < N; i++)
        a[i] = a[i - 4] + 1;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i % 4 + i / 4);
#pragma omp target map(tofrom: a)
    {
#pragma omp simd safelen(8)
        for (int i = 8; i < N; i++)
            a[i] = a[i - 8] + 1;
    }
    for (int i = 0; i < N; i++)
        check_int("a block's", i, a[i], i % 8 % 4 + i % 8 / 4 + i / 8);
#pragma omp target teams distribute parallel for map(tofrom: b)
    for (int row = 0; row < N / 50; row++) {
#pragma omp simd safelen(2)
        for (int i = 2; i < 50; i++)
            b[50 * row + i] = b[50 * row + i - 2] + 1;
    }
    for (int i = 0; i < N; i++)
        check_int("rows", i, b[i], i - i % 50 + i % 50 % 2 + i % 50 / 2);
#pragma omp target simd safelen(16) map(tofrom: b)
    for (int i = 0; i < N; i++)
        b[i] = 2 * i;
    for (int i = 0; i < N; i++)
        check_int("independent", i, b[i], 2 * i);
    return finish();
}

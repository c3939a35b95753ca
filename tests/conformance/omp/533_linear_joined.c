// `linear` variables of joined loops, which advance with each iteration of all of them: OpenMP 5.2 §5.4.6.
// expect: launches=3
#include "../check.h"
#define N 8

int main(void)
{
    int a[N * N] = {0}, b[N * N] = {0}, k = 5, m = 100;
#pragma omp target parallel for collapse(2) linear(k : 2) map(tofrom : a)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i * N + j] = k;
            k += 2;
        }
    for (int i = 0; i < N * N; i++)
        check_int("a", i, a[i], 5 + 2 * i);
    check_int("k", 0, k, 5 + 2 * N * N);
    k = 0;
#pragma omp target map(tofrom : a, k, m)
#pragma omp simd collapse(2) linear(k) linear(m : -3)
    for (int i = 0; i < N; i++)
        for (int j = N; j > 0; j--) {
            a[i * N + N - j] = k + m;
            k++;
            m -= 3;
        }
    for (int i = 0; i < N * N; i++)
        check_int("simd", i, a[i], 100 - 2 * i);
    check_int("k", 1, k, N * N);
    check_int("m", 0, m, 100 - 3 * N * N);
    int own = 3, last = 0;
#pragma omp target parallel for collapse(2) linear(k) private(own) lastprivate(last) map(tofrom : b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            own = k;
            b[i * N + j] = own;
            last = own;
            k++;
        }
    for (int i = 0; i < N * N; i++)
        check_int("b", i, b[i], N * N + i);
    check_int("own", 0, own, 3);
    check_int("last", 0, last, 2 * N * N - 1);
    return finish();
}

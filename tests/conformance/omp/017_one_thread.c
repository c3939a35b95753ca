// What threads cannot do side by side is done by one of the device's: dependences between iterations, linear variables,
// counters of 64 bits without a sign (OpenMP 5.2 §5.6, §15.10, §5.4.6, §5.5.11).
// expect: launches=13
// gcc: rejects, a scan with one exclusive variable
#include "../check.h"

#define N 100

static int a[N], b[N];

#pragma omp declare reduction(furthest : int : omp_out = omp_in > omp_out ? omp_in : omp_out)                \
    initializer(omp_priv = -1)

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(inscan, + : sum) map(to: a) map(from: b)
    for (int i = 0; i < N; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        b[i] = sum;
    }
    for (int i = 0; i < N; i++)
        check_int("inclusive", i, b[i], i * (i + 1) / 2);
    check_int("inclusive, at the end", 0, sum, N * (N - 1) / 2);

    sum = 3;
#pragma omp target parallel for reduction(inscan, + : sum) map(tofrom: sum) map(to: a) map(from: b)
    for (int i = 0; i < N; i++) {
        b[i] = sum;
#pragma omp scan exclusive(sum)
        sum += a[i];
    }
    for (int i = 0; i < N; i++)
        check_int("exclusive", i, b[i], 3 + i * (i - 1) / 2);

#pragma omp target parallel for ordered(1) map(tofrom: a)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink: i - 1)
        a[i] = a[i - 1] + 2;
#pragma omp ordered depend(source)
    }
    for (int i = 0; i < N; i++)
        check_int("a dependence", i, a[i], 2 * i);

    int j = 5;
#pragma omp target parallel for linear(j : 2) map(from: a) map(tofrom: j)
    for (int i = 0; i < N; i++)
        a[i] = j;
    for (int i = 0; i < N; i++)
        check_int("linear", i, a[i], 5 + 2 * i);
    check_int("linear, at the end", 0, j, 5 + 2 * (N - 1));

    j = 1;
#pragma omp target map(from: a) map(tofrom: j)
#pragma omp simd linear(j : 3)
    for (int i = 0; i < N; i++) {
        a[i] = j;
        j += 3;
    }
    for (int i = 0; i < N; i++)
        check_int("linear simd", i, a[i], 1 + 3 * i);
    check_int("linear simd, at the end", 0, j, 1 + 3 * N);

    int far = 2;
#pragma omp target teams distribute parallel for reduction(furthest : far) map(to: a)
    for (int i = 0; i < N; i++)
        if (a[i] % 7 > far)
            far = a[i] % 7;
    check_int("declared reduction", 0, far, 6);

    unsigned long long first = 0xfffffffffffff000ULL;
#pragma omp target teams distribute parallel for map(from: a)
    for (unsigned long long i = first; i < 0xfffffffffffff000ULL + N; i++)
        a[i - first] = (int)(i - first);
    for (int i = 0; i < N; i++)
        check_int("64 bits", i, a[i], i);

    int own = 7, seen = 0;
#pragma omp target map(tofrom: seen) map(from: a)
    {
#pragma omp parallel for ordered(1) firstprivate(own) private(j)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink: i - 1)
            j = own + i;
            a[i] = j;
#pragma omp ordered depend(source)
        }
        seen = own;
    }
    check_int("copies", N - 1, a[N - 1], 7 + N - 1);
    check_int("the original", 0, seen, 7);
    return finish();
}

// Reductions of arrays and of their sections (OpenMP 5.2 §5.5.8).
// expect: launches=5
#include "../check.h"
#include <complex.h>

int main(void)
{
    int a[10] = {0}, b[4][4] = {{0}}, one[1] = {5};
    double values[6] = {100, 0, 0, 0, 0, 100}, *p = values + 1;
#pragma omp target teams distribute parallel for reduction(+ : a) map(tofrom: a)
    for (int i = 0; i < 1000; i++)
        a[i % 10] += i;
#pragma omp target teams distribute parallel for reduction(+ : p[0:4])
    for (int i = 0; i < 1000; i++)
        p[i % 4] += 1;
#pragma omp target parallel for reduction(max : b[1:2][:]) map(tofrom: b)
    for (int i = 0; i < 1000; i++)
        if (b[1 + i % 2][i % 4] < i)
            b[1 + i % 2][i % 4] = i;
#pragma omp target teams distribute parallel for reduction(+ : one[0]) map(tofrom: one)
    for (int i = 0; i < 1000; i++)
        one[0] += i;
    for (int k = 0; k < 10; k++)
        check_int("an array", k, a[k], 49500 + 100 * k);
    for (int k = 0; k < 6; k++)
        check_near("a section of a pointer", k, values[k], k == 0 || k == 5 ? 100 : 250, 0);
    check_int("rows", 0, b[1][0], 996);
    check_int("rows", 3, b[2][3], 999);
    check_int("rows", 0, b[0][0], 0);
    check_int("an element", 0, one[0], 499505);

    float complex z = 1;
#pragma omp target parallel for reduction(+ : z) map(tofrom: z)
    for (int i = 0; i < 100; i++)
        z += i + 2 * i * I;
    check_near("complex", 0, crealf(z), 4951, 0);
    check_near("complex", 1, cimagf(z), 9900, 0);
    return finish();
}

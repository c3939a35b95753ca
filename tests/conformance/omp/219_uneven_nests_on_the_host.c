// Nests whose inner loop depends on the outer one, in constructs that the host runs: gcc 12 divides such nests wrongly between threads,
// so one thread runs them.
// expect: launches=0
#include "../check.h"

static void last_values(int n, long *res)
{
    long x = -1;
    int i = -5, j = -6, sum = 0;
#pragma omp target parallel for simd collapse(2) lastprivate(x, i, j) reduction(+ : sum)
    for (i = 0; i < n; i++)
        for (j = i; j < i + 5; j++) {
            x = j * 7L + i;
            sum += i + j;
        }
    res[0] = x, res[1] = i, res[2] = j, res[3] = sum;
}

static void inside(int n, long *res)
{
    int sum = 0;
#pragma omp target teams if (0) map(tofrom : sum) reduction(+ : sum)
    {
#pragma omp distribute parallel for collapse(2) reduction(+ : sum)
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++)
                sum += i * j + 1;
    }
    res[0] = sum;
}

int main(void)
{
    long res[4], sum = 0;
    for (int n = 1; n < 30; n += 4) {
        last_values(n, res);
        check_int("x", n, res[0], (n + 3) * 7 + n - 1);
        check_int("i", n, res[1], n);
        check_int("j", n, res[2], n + 4);
        sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = i; j < i + 5; j++)
                sum += i + j;
        check_int("sum", n, res[3], sum);
        inside(n, res);
        sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++)
                sum += i * j + 1;
        check_int("inside", n, res[0], sum);
    }
    return finish();
}

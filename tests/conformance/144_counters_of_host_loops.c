// expect: launches>=6
// Loops of a kernels construct that the host runs, with or without launches in them: what they count with, and their private
// variables, are not the variables of the same names outside (OpenACC 3.3, 2.6.1).

#include "check.h"

#define N 40

static int last, sum;

int main(void)
{
    int a[N], m[N][N], behind_plain = 0, behind_nested = 0, behind_private = 0;
    unsigned long long product = 0;

#pragma acc kernels copyout(a)
    {
        int c = 234;
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            a[i] = c;
        {
#pragma acc loop
            for (c = 0; c < N / 2; c++)
                a[c] -= 10;
#pragma acc loop
            for (c = 0; c < N / 2; c++)
                last = c;
#pragma acc loop
            for (c = 0; c <= N; c++)
                sum += c;
            {
                unsigned long long f = 1;
#pragma acc loop independent reduction(* : f)
                for (c = 20; c > 0; --c)
                    f *= c;
                product = f;
            }
            behind_plain = c;
        }
    }
#pragma acc kernels copyout(m)
    {
        int c = 17;
#pragma acc loop seq
        for (c = 0; c < N; c++) {
#pragma acc loop independent
            for (int j = 0; j < N; j++)
                m[c][j] = c;
#pragma acc loop independent
            for (int j = 0; j < N; j++)
                m[c][j] += c > 0 ? m[c - 1][j] : 0;
        }
        behind_nested = c;
    }
#pragma acc kernels copyout(a)
    {
        int t = 19;
        int total = 0;
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            a[i] = t;
        {
#pragma acc loop seq private(t)
            for (int i = 0; i < 10; i++) {
                t = i;
                total += t;
            }
#pragma acc loop independent
            for (int i = 0; i < N; i++)
                a[i] += total;
        }
        behind_private = t;
    }
    check_int("last", 0, last, N / 2 - 1);
    check_int("sum", 0, sum, N * (N + 1) / 2);
    check_true("product", product == 2432902008176640000ULL);
    check_int("behind_plain", 0, behind_plain, 234);
    check_int("behind_nested", 0, behind_nested, 17);
    check_int("behind_private", 0, behind_private, 19);
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], 19 + 45);
        for (int j = 0; j < N; j++)
            check_int("m", N * i + j, m[i][j], i * (i + 1) / 2);
    }
    return finish();
}

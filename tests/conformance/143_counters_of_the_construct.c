// expect: launches>=6
// A variable that the construct declares, and that a loop with a directive counts with: the loop's own one is another
// (OpenACC 3.3, 2.6.1), so that the variable keeps its value for what follows.

#include "check.h"

#define N 100

int main(void)
{
    int a[N], b[10][10], c[10], d[10];
    int in_kernels = 0, in_parallel = 0, in_serial = 0, behind_seq = 0;

#pragma acc kernels copyout(a) copy(in_kernels)
    {
        int k = 234;
#pragma acc loop
        for (k = 0; k < N; k++)
            a[k] = k;
        in_kernels = k;
    }
#pragma acc parallel num_gangs(1) copy(a, in_parallel)
    {
        int k = 17;
#pragma acc loop
        for (k = 0; k < N; k++)
            a[k] += k;
        in_parallel = k;
    }
#pragma acc serial copy(a, in_serial)
    {
        int k = 18;
#pragma acc loop
        for (k = 0; k < N; k++)
            a[k] += k;
        in_serial = k;
    }
#pragma acc parallel num_gangs(1) copy(a, behind_seq)
    {
        int k = 19;
#pragma acc loop seq
        for (k = 0; k < N; k++)
            a[k] += k;
        behind_seq = k;
    }
#pragma acc parallel copyout(b, c)
    {
#pragma acc loop gang
        for (int i = 0; i < 10; i++) {
            int j = 7 * i;
#pragma acc loop vector
            for (j = 0; j < 10; j++)
                b[i][j] = i + j;
            c[i] = j;
        }
    }
#pragma acc parallel copyout(b, d)
    {
        int j = 7;
#pragma acc loop
        for (int i = 0; i < 10; i++) {
#pragma acc loop
            for (j = 0; j < 10; j++)
                b[i][j] = i + j;
            d[i] = j;
        }
    }
    check_int("in_kernels", 0, in_kernels, 234);
    check_int("in_parallel", 0, in_parallel, 17);
    check_int("in_serial", 0, in_serial, 18);
    check_int("behind_seq", 0, behind_seq, 19);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 4 * i);
    for (int i = 0; i < 10; i++) {
        check_int("c", i, c[i], 7 * i);
        check_int("d", i, d[i], 7);
        for (int j = 0; j < 10; j++)
            check_int("b", 10 * i + j, b[i][j], i + j);
    }
    return finish();
}

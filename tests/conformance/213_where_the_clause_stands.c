// The reduction clause on the loop of a parallel region, on the parallel construct, on kernels loop,
// and nowhere in kernels, where the compiler finds it or stays sequential.
// expect: launches>=4 uploads>=4
#include "check.h"

#define N 640

int main(void)
{
    int a[N], on_loop = 1, on_parallel = 2, on_kernels = 3, nowhere = 4;
    for (int i = 0; i < N; i++)
        a[i] = i % 29;
#pragma acc parallel copyin(a) copy(on_loop)
    {
#pragma acc loop gang vector reduction(+ : on_loop)
        for (int i = 0; i < N; i++)
            on_loop += a[i];
    }
#pragma acc parallel num_gangs(5) reduction(+ : on_parallel)
    {
        on_parallel += 3;
    }
#pragma acc kernels loop copyin(a) reduction(+ : on_kernels)
    for (int i = 0; i < N; i++)
        on_kernels += a[i];
#pragma acc kernels copyin(a)
    {
        for (int i = 0; i < N; i++)
            nowhere += a[i];
    }
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i];
    check_int("on_loop", 0, on_loop, 1 + sum);
#ifdef _OPENACC
    check_true("on_parallel", on_parallel > 2 && (on_parallel - 2) % 3 == 0);
#endif
    check_int("on_kernels", 0, on_kernels, 3 + sum);
    check_int("nowhere", 0, nowhere, 4 + sum);
    return finish();
}

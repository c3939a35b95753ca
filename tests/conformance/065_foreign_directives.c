// Directives that other compilers define, and loop directives in functions of the host, are ignored with a warning.
// expect: launches=2
#include "check.h"

#pragma openarc transform
#pragma aspen declare param(n)

static void fill(int n, int *a)
{
#pragma acc data copy(a[0:n])
    {
#pragma acc loop gang
        for (int i = 0; i < n; i++)
            a[i] = -1;
#pragma acc update device(a[0:n])
#pragma acc profile region label("fill")
#pragma acc parallel num_gangs[0](n / 8) num_gangs[1](4) num_workers[0](8)
        {
#pragma acc loop gang[1] worker[1]
            for (int i = 0; i < n; i += 10) {
#pragma acc loop gang[0] worker[0]
                for (int j = i; j < i + 10; j++)
                    a[j] += 2 * j;
            }
        }
#pragma acc profile track
    }
}

static void on_host(int n, int *a)
{
#pragma acc loop independent
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma hmpp group codelet
#pragma acc region
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}

int main(void)
{
    int a[100];
    fill(100, a);
#pragma acc internal barrier
    on_host(100, a);
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 100; i++)
        a[i] += 3;
    for (int i = 0; i < 100; i++)
        check_int("a", i, a[i], 4 * i + 3);
    return finish();
}

// Each clause of declare: at file scope, in functions, for parameters (2.13).
#include "check.h"

#define N 50

static int table[N];
#pragma acc declare device_resident(table)

int large[N];
#pragma acc declare link(large)

static void own(int *out)
{
    int a[N], b[N];
#pragma acc declare copy(a) copyout(b)
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc update device(a)
#pragma acc parallel loop copyout(out[0:N])
    for (int i = 0; i < N; i++) {
        b[i] = a[i] + 1;
        out[i] = b[i];
    }
}

static void there(int *p)
{
#pragma acc declare present(p[0:N])
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        p[i] *= 2;
}

static void given(int *p)
{
#pragma acc declare deviceptr(p)
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        p[i] += 5;
}

int main(void)
{
    int out[N], x[N];
    own(out);
    for (int i = 0; i < N; i++)
        check_int("out", i, out[i], i + 1);

    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma acc data copy(x)
    {
        there(x);
#pragma acc host_data use_device(x)
        given(x);
    }
    for (int i = 0; i < N; i++)
        check_int("x", i, x[i], 2 * i + 5);

#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        table[i] = 3 * i;
#pragma acc parallel loop copyout(x)
    for (int i = 0; i < N; i++)
        x[i] = table[i];
    for (int i = 0; i < N; i++)
        check_int("table", i, x[i], 3 * i);

    for (int i = 0; i < N; i++)
        large[i] = i;
#pragma acc parallel loop copy(large)
    for (int i = 0; i < N; i++)
        large[i] += 1;
    for (int i = 0; i < N; i++)
        check_int("large", i, large[i], i + 1);
    return finish();
}

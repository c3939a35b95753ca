// `declare deviceptr` outside functions: constructs take the global pointer's value as an address of the device.
// needs: runtime
// expect: launches=4 uploads=1 downloads=1
#include <openacc.h>
#include "check.h"

#define N 500

static double *field;
static float *unused;
#pragma acc declare deviceptr(field, unused)

static void fill(void)
{
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        field[i] = 2 * i;
}

static double sum(void)
{
    double total = 0;
#pragma acc kernels loop reduction(+ : total)
    for (int i = 0; i < N; i++)
        total += field[i];
    return total;
}

/* A local of that name is another variable. */
static void another(void)
{
    static double local[N];
    double *field = local;
#pragma acc parallel loop copy(field[0:N])
    for (int i = 0; i < N; i++)
        field[i] += i;
    for (int i = 0; i < N; i++)
        check_near("local", i, local[i], i, 0);
}

int main(void)
{
    field = acc_malloc(N * sizeof *field);
    fill();
#pragma acc serial deviceptr(field)
    field[0] = 7;
    check_near("sum", 0, sum(), 7 + N * (N - 1.0), 0);
    another();
    acc_free(field);
    return finish();
}

// Variables, functions and types of the program with the names that the compiler puts into the host's text.
// expect: launches=5
#include "check.h"

#define N 40

static int accl_if = 1;
static int accl_sites[N];

struct accl_scope {
    int n;
};

static int accl_declare_0(int accl_value_0) { return accl_value_0 + 1; }

static double sum(int accl_dims_0, const double *accl_values)
{
    double accl_reductions = 0;
#pragma acc parallel loop copyin(accl_values[0:accl_dims_0]) reduction(+: accl_reductions)
    for (int accl_info = 0; accl_info < accl_dims_0; accl_info++)
        accl_reductions += accl_values[accl_info];
    return accl_reductions;
}

int main(void)
{
    double accl_vars[N], accl_vars_of_accl[N];
    struct accl_scope accl_queues = {3};
    for (int i = 0; i < N; i++) {
        accl_vars[i] = i;
        accl_vars_of_accl[i] = 2 * i;
        accl_sites[i] = -i;
    }
#pragma acc data copy(accl_vars) copyin(accl_vars_of_accl) if(accl_if)
    {
#pragma acc parallel loop present(accl_vars) if(accl_if == 1)
        for (int i = 0; i < N; i++)
            accl_vars[i] += accl_vars_of_accl[i] + accl_if;
        accl_if = 7;
#pragma acc parallel loop present(accl_vars) copy(accl_sites)
        for (int i = 0; i < N; i++)
            accl_sites[i] += (int)accl_vars[i] * accl_if;
    }
    for (int i = 0; i < N; i++) {
        check_near("data", i, accl_vars[i], 3 * i + 1, 1e-12);
        check_int("static", i, accl_sites[i], (3 * i + 1) * 7 - i);
    }
    check_near("sum", 0, sum(N, accl_vars), 3 * N * (N - 1) / 2 + N, 1e-9);

    int accl_device_0[N], accl_device = 4;
#pragma acc data copyout(accl_device_0)
    {
        int *pointer = 0;
#pragma acc host_data use_device(accl_device_0)
        pointer = accl_device_0;
#pragma acc parallel loop deviceptr(pointer) async(accl_queues.n)
        for (int i = 0; i < N; i++)
            pointer[i] = i + accl_device;
#pragma acc wait(accl_queues.n)
#pragma acc parallel loop present(accl_device_0)
        for (int i = 0; i < N; i++)
            accl_device_0[i] = accl_declare_0(accl_device_0[i]);
    }
    for (int i = 0; i < N; i++)
        check_int("device", i, accl_device_0[i], i + 5);
    return finish();
}

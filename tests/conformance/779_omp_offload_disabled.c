// OMP_TARGET_OFFLOAD=disabled leaves OpenMP's routines the host alone; OpenACC has its devices.
// flags: -fopenmp
// env: OMP_TARGET_OFFLOAD=disabled
// needs: runtime
// expect: launches=1 uploads=1 downloads=1
#include <omp.h>
#include <openacc.h>
#include "check.h"

#define N 30

int main(void)
{
    check_int("devices", 0, omp_get_num_devices(), 0);
    check_int("the host", 0, omp_get_initial_device(), 0);
    check_int("the default", 0, omp_get_default_device(), 0);
    check_true("OpenACC's devices", acc_get_num_devices(acc_get_device_type()) >= 1);
    double in[N], *copy = omp_target_alloc(sizeof in, 0);
    for (int i = 0; i < N; i++)
        in[i] = i;
    check_int("copied", 0, omp_target_memcpy(copy, in, sizeof in, 0, 0, 0, -1 /* omp_initial_device */), 0);
    check_true("present", omp_target_is_present(copy, 0));
#pragma acc parallel loop copy(copy[0:N])
    for (int i = 0; i < N; i++)
        copy[i] *= 2.0;
    for (int i = 0; i < N; i++)
        check_near("copy", i, copy[i], 2.0 * in[i], 0.0);
    omp_target_free(copy, 0);
    return finish();
}

// is_device_ptr: memory of omp_target_alloc, and addresses that use_device_ptr gave.
// expect: launches=4 uploads=1 downloads=2
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 500

static void fill(double *on_device, int n)
{
#pragma omp target teams distribute parallel for is_device_ptr(on_device)
    for (int i = 0; i < n; i++)
        on_device[i] = 0.5 * i;
}

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device();
    double *x = omp_target_alloc(N * sizeof *x, device), *y = omp_target_alloc(N * sizeof *y, device);
    double *back = malloc(N * sizeof *back);
    fill(x, N);
#pragma omp target teams distribute parallel for is_device_ptr(x, y) device(device)
    for (int i = 0; i < N; i++)
        y[i] = 2 * x[i];
    check_int("copy", 0, omp_target_memcpy(back, y, N * sizeof *y, 0, 0, host, device), 0);
    for (int i = 0; i < N; i++)
        check_near("y", i, back[i], i, 0);

#pragma omp target data map(tofrom: back[0:N]) use_device_ptr(back)
    {
        double *address = back;
        fill(address + 10, N - 10);
#pragma omp target is_device_ptr(back)
        back[3] = -3;
    }
    for (int i = 0; i < N; i++)
        check_near("back", i, back[i], i == 3 ? -3 : i < 10 ? i : 0.5 * (i - 10), 0);
    omp_target_free(x, device);
    omp_target_free(y, device);
    free(back);
    return finish();
}

// device(n): the default device, the initial device, which is the host, and numbers that are computed.
// expect: launches=4
// needs: separate
#include "../check.h"
#include <omp.h>

#define N 64

int main(void)
{
    int a[N], host = omp_get_initial_device(), device = omp_get_default_device(), where = -1;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target device(device) map(tofrom: a) map(from: where)
    {
        where = omp_is_initial_device();
        a[0] = 10;
    }
    check_int("where", 0, where, 0);
#pragma omp target device(host) map(from: where)
    where = omp_is_initial_device();
    check_int("where", 1, where, 1);
#pragma omp target data map(tofrom: a) device(device_num: device)
    {
        a[1] = 100;
        // The host has its own copy, and no transfers.
#pragma omp target teams distribute parallel for map(tofrom: a) device(host)
        for (int i = 10; i < N; i++)
            a[i] = -1;
#pragma omp target teams distribute parallel for map(tofrom: a) device(host - omp_get_num_devices() + device)
        for (int i = 10; i < N; i++)
            a[i] += i;
    }
    check_int("a", 0, a[0], 10);
    check_int("a", 1, a[1], 1);
    for (int i = 10; i < N; i++)
        check_int("a", i, a[i], 2 * i);
#pragma omp target enter data map(to: a) device(host)
#pragma omp target update to(a) device(host)
    check_int("present", 0, omp_target_is_present(a, device), 0);
#pragma omp target enter data map(to: a) device(device)
    check_int("present", 1, omp_target_is_present(a, device), 1);
#pragma omp target device(device)
    a[2] = 22;
#pragma omp target update from(a[2:1]) device(device)
    check_int("a", 2, a[2], 22);
#pragma omp target exit data map(release: a) device(device)
    check_int("present", 2, omp_target_is_present(a, device), 0);
    omp_set_default_device(host);
#pragma omp target map(from: where)
    where = omp_is_initial_device();
    check_int("where", 2, where, 1);
    omp_set_default_device(device);
#pragma omp target map(from: where)
    where = omp_is_initial_device();
    check_int("where", 3, where, 0);
    return finish();
}

// OpenMP's device numbers are OpenACC's, and the host has the one after the last; threads of a team inherit the default device.
// flags: -fopenmp
// needs: runtime
// expect: launches=2 uploads=2 downloads=2
#include <omp.h>
#include <openacc.h>
#include "check.h"

#define N 60

static int a[N];

static void add(int number)
{
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
        a[i] += number;
}

int main(void)
{
    const int devices = omp_get_num_devices(), host = omp_get_initial_device();
    check_true("devices", devices >= 1);
    check_int("as OpenACC counts", 0, devices, acc_get_num_devices(acc_get_device_type()));
    check_int("the host is the last", 0, host, devices);
    check_int("we are there", 0, omp_get_device_num(), host);
    check_true("that is initial", omp_is_initial_device());
    const int first = omp_get_default_device();
    check_int("the default", 0, first, acc_get_device_num(acc_get_device_type()));

    int inherited = 0, own = 0;
    omp_set_default_device(host);
#pragma omp parallel num_threads(3) reduction(+ : inherited)
    inherited += omp_get_default_device() == host;
    check_int("inherited", 0, inherited, 3);
    omp_set_default_device(first);
#pragma omp parallel num_threads(3) reduction(+ : own)
    {
        if (omp_get_thread_num() == 1)
            omp_set_default_device(host);
        own += omp_get_default_device() == host;
    }
    check_int("each thread's own", 0, own, 1);
    check_int("the default stays", 0, omp_get_default_device(), first);
    add(1);

    omp_set_default_device(-1 /* omp_initial_device */);
    check_int("the host", 0, omp_get_default_device(), host);
    acc_set_device_num(first, acc_get_device_type());
    check_int("as acc_set_device_num said", 0, omp_get_default_device(), first);
    add(2);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 3);
    return finish();
}

// omp_in_explicit_task in tasks of the host and of the device; dependences on all memory; the number of devices on the device.
// expect: launches=3
// needs: runtime
#include "../check.h"
#include <omp.h>

static int asked(void)
{
    return omp_in_explicit_task();
}

int main(void)
{
    int in_task = -1, in_function = -1, in_region = -1, after = -1, looped = 0;
    check_true("outside", !omp_in_explicit_task());
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(in_task, in_function, in_region)
        {
            in_task = omp_in_explicit_task();
            in_function = asked();
#pragma omp parallel num_threads(1)
            in_region = omp_in_explicit_task();
        }
#pragma omp taskwait
        after = omp_in_explicit_task();
#pragma omp taskloop shared(looped)
        for (int i = 0; i < 4; i++)
#pragma omp atomic
            looped += omp_in_explicit_task();
    }
    check_true("in a task", in_task == 1 && in_function == 1);
    check_true("in a parallel region of a task", in_region == 0);
    check_true("behind a task", after == 0);
    check_true("in tasks of a loop", looped == 4);

    int outside = -1, inside = -1, devices = -1;
#pragma omp target map(from : outside)
    outside = omp_in_explicit_task();
#pragma omp target map(from : inside)
#pragma omp task shared(inside)
    inside = omp_in_explicit_task();
#pragma omp target map(from : devices)
    devices = omp_get_num_devices();
    check_true("on the device", outside == 0 && inside == 1);
    check_true("devices", devices == omp_get_num_devices());

    int a = 0, b = 0, c = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
        a = 1;
#pragma omp task depend(out : b) shared(b)
        b = 2;
#pragma omp task depend(inout : omp_all_memory) shared(a, b, c)
        c = a + b;
#pragma omp task depend(in : a) shared(a, c)
        a = 10 * c;
    }
    check_true("all memory", c == 3 && a == 30);
    return finish();
}

// Pointers that lie in the device's memory (`has_device_addr`), by reference, which constructs change; mapped pointers by reference.
// devices: cpu cuda
// needs: runtime
#include "../check.h"

#include <omp.h>

static int moved(int *&p)
{
#pragma omp target map(tofrom: p)
    p = p + 1;
    return 0;
}

int main()
{
    int device = omp_get_default_device(), wrong = 0;
    int *values = (int *)omp_target_alloc(2 * sizeof(int), device);
    int **pointer = (int **)omp_target_alloc(sizeof(int *), device);
    int &x = *values, *&y = *pointer;
#pragma omp target has_device_addr(x, y)
    {
        x = 24;
        y = &x;
    }
#pragma omp target has_device_addr(x, y) map(tofrom: wrong)
    wrong = x != 24 || y != &x || *y != 24;
    check_int("wrong", 0, wrong, 0);
    int a[4] = {1, 2, 3, 4}, *p = a;
    moved(p);
    check_true("p", p == a + 1);
    int looked = 0;
#pragma omp target data map(to: a) use_device_ptr(p)
#pragma omp target has_device_addr(p) map(tofrom: looked)
    {
        int **at = &p;
        looked = **at;
    }
    check_int("looked", 0, looked, 2);
    omp_target_free(values, device);
    omp_target_free(pointer, device);
    return finish();
}

/* A pointer that lies in the device's memory itself, and changes there. */
#include <omp.h>

void f(int *moving)
{
    int other = 0;
#pragma omp target has_device_addr(moving)
    moving[2] = 1;
#pragma omp target has_device_addr(moving) map(tofrom: other)
    moving = &other;
#pragma omp target is_device_ptr(moving)
    moving = moving + 1;
}

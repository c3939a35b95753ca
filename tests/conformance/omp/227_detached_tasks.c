// Tasks with `detach` in device code: they run where they are made, and the events that would end them end nothing else.
#include "../check.h"

#include <omp.h>

int main(void)
{
    int x = 0, y = 0, threads = 0;
    omp_event_handle_t first, second;
#pragma omp target map(tofrom: x, y, threads)
#pragma omp parallel private(first, second)
    {
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp task detach(first) untied
        {
#pragma omp atomic
            x++;
        }
#pragma omp task detach(second)
        {
#pragma omp atomic
            y++;
            omp_fulfill_event(first);
        }
        omp_fulfill_event(second);
    }
    check_int("x", 0, x, threads);
    check_int("y", 0, y, threads);
    return finish();
}

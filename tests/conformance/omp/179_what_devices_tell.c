// What code for devices is told about its schedule, places and the `parallel` constructs around it, in a `single` block, too:
// OpenMP 5.2 §18.2, §18.3.
#include "../check.h"
#include <omp.h>

#define THREADS 4

static int levels(void)
{
    return omp_get_active_level() * 10 + omp_get_level();
}

int main(void)
{
    omp_sched_t kind = 0;
    int chunk = -1, places = -1, place = 0, parallel = 0, level = 0, size = 0, ancestor = 0;
#pragma omp target parallel num_threads(THREADS) map(from: kind, chunk, places, place, parallel, level, size, ancestor)
    {
#pragma omp single
        {
            omp_get_schedule(&kind, &chunk);
            places = omp_get_num_places();
            place = omp_get_place_num();
            parallel = omp_in_parallel();
            level = levels();
            size = omp_get_team_size(1);
            ancestor = omp_get_ancestor_thread_num(0);
        }
    }
    check_int("schedule", 0, kind, omp_sched_static);
    check_int("schedule", 1, chunk, 0);
    check_int("places", 0, places, 0);
    check_int("places", 1, place, -1);
    check_int("single", 0, parallel, 1);
    check_int("single", 1, level, 11);
    check_int("single", 2, size, THREADS);
    check_int("single", 3, ancestor, 0);

#pragma omp target parallel num_threads(THREADS) map(tofrom: parallel, level)
    {
#pragma omp sections
        {
#pragma omp section
            parallel = 2 * omp_in_parallel();
#pragma omp section
            level = omp_get_level();
        }
    }
    check_int("sections", 0, parallel, 2);
    check_int("sections", 1, level, 1);
    return finish();
}

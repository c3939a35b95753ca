// omp_target_is_accessible: memory of a device by itself is, and the host's is where memory is shared.
// expect: launches=0
// needs: separate
#include "../check.h"
#include <omp.h>

#define N 100

int main(void)
{
    int device = omp_get_default_device(), here[N] = {0};
    char *memory = omp_target_alloc(N, device);
    check_int("allocated", 0, omp_target_is_accessible(memory, N, device), 1);
    check_int("a part", 0, omp_target_is_accessible(memory + 10, N - 10, device), 1);
    check_int("beyond the end", 0, omp_target_is_accessible(memory + 10, N, device), 0);
    omp_target_free(memory, device);
    check_int("freed", 0, omp_target_is_accessible(memory, N, device), 0);

    check_int("of the host", 0, omp_target_is_accessible(here, sizeof here, device), 0);
    check_int("of the host, there", 0, omp_target_is_accessible(here, sizeof here, omp_get_initial_device()), 1);
#pragma omp target data map(to: here)
    {
        check_int("the object's own address", 0, omp_target_is_accessible(here, sizeof here, device), 0);
        int *there = omp_get_mapped_ptr(here, device);
        check_int("its memory", 0, omp_target_is_accessible(there, sizeof here, device), 1);
        check_int("its last byte", 0, omp_target_is_accessible((char *)(there + N) - 1, 1, device), 1);
    }
    check_int("nothing", 0, omp_target_is_accessible(0, 1, device), 0);
    return finish();
}

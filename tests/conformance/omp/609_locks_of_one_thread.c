// A lock that is held cannot be had again: `omp_test_lock` says so on the device as well.
// expect: launches=2
#include <omp.h>
#include "../check.h"

int main(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nested;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
    int r[10] = {0};
#pragma omp target map(tofrom: lock, nested, r)
    {
        omp_set_lock(&lock);
        r[0] = omp_test_lock(&lock);
        omp_unset_lock(&lock);
        r[1] = omp_test_lock(&lock);
        if (omp_test_lock(&lock))
            r[2] = 1;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nested);
        r[3] = omp_test_nest_lock(&nested);
        r[4] = omp_test_nest_lock(&nested);
        for (int i = 0; i < 3; i++)
            omp_unset_nest_lock(&nested);
        r[5] = omp_test_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
    }
    const int held[6] = {0, 1, 0, 2, 3, 1};
    for (int i = 0; i < 6; i++)
        check_int("held", i, r[i], held[i]);
    check_int("free on the host", 0, omp_test_lock(&lock), 1);
    omp_unset_lock(&lock);

#pragma omp target map(from: r)
    {
        omp_lock_t locks[2];
        for (int i = 0; i < 2; i++)
            omp_init_lock(&locks[i]);
        omp_set_lock(&locks[1]);
        for (int i = 0; i < 2; i++)
            r[i] = omp_test_lock(&locks[i]);
        for (int i = 0; i < 2; i++) {
            omp_unset_lock(&locks[i]);
            omp_destroy_lock(&locks[i]);
        }
    }
    check_int("own", 0, r[0], 1);
    check_int("own", 1, r[1], 0);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
    return finish();
}

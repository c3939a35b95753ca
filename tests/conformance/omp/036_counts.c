// Reference counts: what is mapped inside what is mapped moves nothing, and goes with the last.
// expect: launches=3 uploads=3 downloads=3
// needs: separate
#include "../check.h"
#include <omp.h>

#define N 40

static int a[N], b[N];

int main(void)
{
    int device = omp_get_default_device();
#pragma omp target data map(tofrom: a)
    {
#pragma omp target data map(tofrom: a)
        {
#pragma omp target enter data map(to: a)
#pragma omp target map(tofrom: a)
            a[0] = 1;
            check_int("a", 0, a[0], 0);
        }
        check_int("a", 1, a[0], 0);
#pragma omp target exit data map(from: a)
        check_int("a", 2, a[0], 0);
        check_int("present", 0, omp_target_is_present(a, device), 1);
    }
    check_int("a", 3, a[0], 1);
    check_int("present", 1, omp_target_is_present(a, device), 0);

    // A part of what is there; data that outlive the block in which they came.
#pragma omp target data map(tofrom: b)
    {
#pragma omp target enter data map(to: b[10:10])
#pragma omp target map(tofrom: b[5:10])
        for (int i = 5; i < 15; i++)
            b[i] = i;
    }
    check_int("b", 5, b[5], 0);
    check_int("present", 2, omp_target_is_present(b, device), 1);
#pragma omp target exit data map(from: b)
    check_int("b", 6, b[6], 6);
    check_int("present", 3, omp_target_is_present(b, device), 0);

    // The kind of the last counts: to, then from.
#pragma omp target enter data map(to: a)
#pragma omp target
    a[9] = 9;
#pragma omp target exit data map(from: a)
    check_int("a", 9, a[9], 9);
    return finish();
}

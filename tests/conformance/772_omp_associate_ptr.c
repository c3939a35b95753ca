// Device memory associated with host memory is in the present table: data clauses find it and leave it there.
// flags: -fopenmp
// needs: runtime
// expect: launches=3 uploads=1 downloads=3
// expect-stderr: omp_target_associate_ptr failed: host=0x[0-9a-f]+ bytes=8 is present already: host=0x[0-9a-f]+ bytes=760
// expect-stderr: omp_target_disassociate_ptr failed: host=0x[0-9a-f]+ is not associated with device memory
#include <omp.h>
#include <stdlib.h>
#include "check.h"

/* Not in every omp.h. */
void *omp_get_mapped_ptr(const void *, int);

int main(void)
{
    const int n = 95, device = omp_get_default_device(), host = omp_get_initial_device();
    const size_t bytes = n * sizeof(long);
    long *a = calloc(n, sizeof *a), *part = calloc(8, sizeof *part);
    long *d = omp_target_alloc(bytes + 16 * sizeof *d, device);
    check_true("absent", !omp_target_is_present(a, device) && omp_get_mapped_ptr(a, device) == NULL);
    check_true("on the host", omp_target_is_present(a, host) && omp_get_mapped_ptr(a, host) == a);
    check_true("nothing is not present", !omp_target_is_present(NULL, device) && !omp_get_mapped_ptr(NULL, device));

    check_int("associate", 0, omp_target_associate_ptr(a, d, bytes, 16 * sizeof *d, device), 0);
    check_int("associate again", 0, omp_target_associate_ptr(a, d, bytes, 16 * sizeof *d, device), 0);
    check_true("other memory", omp_target_associate_ptr(a, d, bytes, 0, device) != 0);
    check_true("inside", omp_target_associate_ptr(a + 3, d, sizeof *a, 0, device) != 0);
    check_true("present", omp_target_is_present(a, device) && omp_target_is_present((char *)(a + n) - 1, device));
    check_true("not the end", !omp_target_is_present(a + n, device));
    check_true("addresses", omp_get_mapped_ptr(a, device) == d + 16 && omp_get_mapped_ptr(a + 5, device) == d + 21);

#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 3L * i;
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
#pragma acc exit data delete(a[0:n]) finalize
    check_true("still present", omp_target_is_present(a, device));
    check_int("untouched", 0, a[1], 0);
#pragma acc update self(a[0:n])
    for (int i = 0; i < n; i++)
        check_int("a", i, a[i], 3L * i + 1);
    check_int("the device's", 0, omp_target_memcpy(part, d, sizeof *d, 0, 17 * sizeof *d, host, device), 0);
    check_int("the device's", 1, part[0], 4);

    /* A sum goes to where its variable is on the device. */
    long sum = 0;
    check_int("associate the sum", 0, omp_target_associate_ptr(&sum, d, sizeof sum, 0, device), 0);
    sum = 7;
#pragma acc update device(sum)
    sum = -1;
#pragma acc parallel loop reduction(+ : sum) present(sum, a[0:n])
    for (int i = 0; i < n; i++)
        sum += a[i];
    check_int("the host's sum", 0, sum, -1);
    check_int("the device's sum", 0, omp_target_memcpy(&sum, d, sizeof sum, 0, 0, host, device), 0);
    check_int("the device's sum", 1, sum, 7 + 3L * n * (n - 1) / 2 + n);
    check_int("disassociate the sum", 0, omp_target_disassociate_ptr(&sum, device), 0);

    check_true("its beginning is needed", omp_target_disassociate_ptr(a + 1, device) != 0);
    check_int("disassociate", 0, omp_target_disassociate_ptr(a, device), 0);
    check_true("only once", omp_target_disassociate_ptr(a, device) != 0);
    check_true("absent again", !omp_target_is_present(a, device));
    check_true("not on the host", omp_target_associate_ptr(a, d, bytes, 0, host) && omp_target_disassociate_ptr(a, host));
    check_true("no bytes", omp_target_associate_ptr(a, d, 0, 0, device) && omp_target_associate_ptr(NULL, d, 8, 0, device));
    omp_target_free(d, device);
    free(part);
    free(a);
    return finish();
}

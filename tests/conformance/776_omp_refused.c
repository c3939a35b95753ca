// Routines that cannot do what they are asked to say so by their result, and the reason in a warning; nothing is copied then.
// flags: -fopenmp
// needs: runtime
// expect: launches=1 uploads=1 downloads=1
// expect-stderr: omp_target_memcpy failed: [0-9]+ is the number of no device
// expect-stderr: omp_target_memcpy failed: a null pointer is no memory
// expect-stderr: omp_target_memcpy_rect failed: more bytes than a size_t counts
// expect-stderr: omp_target_alloc failed: -3 is the number of no device
#include <omp.h>
#include <stdint.h>
#include "check.h"

#define N 12
#define LIST(...) ((const size_t[]){__VA_ARGS__})

static int a[N], b[N];

int main(void)
{
    const int device = omp_get_default_device(), host = omp_get_initial_device(), none = host + 1;
    const size_t bytes = sizeof a, element = sizeof *a;
    int *d = omp_target_alloc(bytes, device);
    check_true("devices", omp_target_memcpy(d, a, bytes, 0, 0, none, host) && omp_target_memcpy(d, a, bytes, 0, 0, device, none));
    check_true("null", omp_target_memcpy(NULL, a, bytes, 0, 0, device, host) && omp_target_memcpy(a, NULL, bytes, 0, 0, host, device));
    check_true("dimensions", omp_target_memcpy_rect(d, a, element, 0, LIST(1), LIST(0), LIST(0), LIST(1), LIST(1), device, host));
    check_true("negative", omp_target_memcpy_rect(d, a, element, -2, LIST(1), LIST(0), LIST(0), LIST(1), LIST(1), device, host));
    check_true("lists", omp_target_memcpy_rect(d, a, element, 1, NULL, LIST(0), LIST(0), LIST(1), LIST(1), device, host));
    check_true("one null", omp_target_memcpy_rect(d, NULL, element, 1, LIST(1), LIST(0), LIST(0), LIST(1), LIST(1), device, host));
    check_true("sizes", omp_target_memcpy_rect(d, a, element, 2, LIST(1, 1), LIST(1, 0), LIST(0, 0), LIST(SIZE_MAX, SIZE_MAX),
                                               LIST(1, N), device, host));
    check_true("associate", omp_target_associate_ptr(a, d, bytes, 0, none) && omp_target_disassociate_ptr(a, none));
    check_true("alloc", omp_target_alloc(8, -3) == NULL);
    check_true("nothing is present", !omp_target_is_present(a, device));
#pragma acc parallel loop deviceptr(d) copyin(a)
    for (int i = 0; i < N; i++)
        d[i] = a[i] + i;
    check_int("download", 0, omp_target_memcpy(b, d, bytes, 0, 0, host, device), 0);
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], i);
    omp_target_free(d, device);
    return finish();
}

// The routines for data and queues that other programs do not call: each once, with what it leaves (3.2.10 to 3.2.36).
// needs: runtime
// gcc: rejects, it lacks some
#include "check.h"
#include <acc_prof.h>
#include <openacc.h>
#include <stdlib.h>

#define N 128
#define CHECK(condition) check_true(#condition, condition)

int main(void)
{
    acc_device_t type = acc_get_device_type();
    acc_init_device(acc_get_device_num(type), type);
    int number = acc_get_device_num(type);
    int a[N], b[N];
    size_t bytes = sizeof a;
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = -1;

    /* Counts: the old names, and the asynchronous routines. */
    CHECK(acc_pcopyin(a, bytes) != 0);
    CHECK(acc_present_or_copyin(a, bytes) == acc_deviceptr(a));
    CHECK(acc_pcreate(b, bytes) != 0);
    CHECK(acc_present_or_create(b, bytes) == acc_deviceptr(b));
    acc_create_async(b, bytes, 1);
    CHECK(acc_is_present(b, bytes));
#pragma acc parallel loop present(a, b) async(1)
    for (int i = 0; i < N; i++)
        b[i] = 2 * a[i];
    acc_update_host_async(b, bytes, 1);
    acc_wait_device(1, number);
    CHECK(acc_async_test_device(1, number));
    CHECK(acc_async_test_all_device(number));
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], 2 * i);
    for (int i = 0; i < N; i++)
        b[i] = 0;
    acc_update_host(b, bytes);
    check_int("update_host", 9, b[9], 18);

    /* Three references went in: the last takes the data away. */
    acc_copyout_async(b, bytes, 2);
    acc_async_wait(2);
    CHECK(acc_is_present(b, bytes));
    acc_copyout_finalize_async(b, bytes, 2);
    acc_async_wait_all();
    CHECK(!acc_is_present(b, bytes) || acc_get_property(number, type, acc_property_shared_memory_support));
    acc_delete_async(a, bytes, 3);
    acc_delete_finalize_async(a, bytes, 3);
    acc_wait_all_device(number);

    /* Memory of the device's own. */
    int *x = acc_malloc(bytes), *y = acc_malloc(bytes);
    acc_memcpy_to_device_async(x, a, bytes, 4);
    acc_wait_async(4, 5);
    acc_memcpy_device_async(y, x, bytes, 5);
    acc_wait_device_async(5, 6, number);
    acc_memcpy_from_device_async(b, y, bytes, 6);
    acc_wait_all_async(7);
    acc_wait_all_device_async(7, number);
    acc_wait_all();
    for (int i = 0; i < N; i++)
        check_int("async copies", i, b[i], i);
    for (int i = 0; i < N; i++)
        a[i] = 3 * i;
    acc_memcpy_to_device(x, a, bytes);
    acc_memcpy_device(y, x, bytes);
    acc_memcpy_from_device(b, y, bytes);
    for (int i = 0; i < N; i++)
        check_int("copies", i, b[i], 3 * i);
    acc_free(x);
    acc_free(y);

    /* Between what is present on one device and on another, which may be the same. */
    acc_copyin(a, bytes);
    acc_create(b, bytes);
    acc_memcpy_d2d(b, a, bytes, number, number);
    acc_memcpy_d2d_async(b, a, bytes, number, number, 1);
    acc_wait(1);
    acc_delete(a, bytes);
    acc_copyout(b, bytes);
    for (int i = 0; i < N; i++)
        check_int("d2d", i, b[i], 3 * i);

    /* Pointers. */
    struct list {
        int *items;
    } list = {a};
    acc_copyin(a, bytes);
    acc_copyin(&list, sizeof list);
    acc_attach((void **)&list.items);
    acc_attach_async((void **)&list.items, 1);
#pragma acc serial present(list)
    list.items[1] = 77;
    acc_detach_finalize_async((void **)&list.items, 1);
    acc_wait(1);
    acc_copyout(&list, sizeof list);
    acc_copyout(a, bytes);
    check_int("attached", 1, a[1], 77);
    CHECK(list.items == a);

    CHECK(acc_prof_lookup("acc_prof_lookup") == (acc_query_fn)acc_prof_lookup);
    acc_shutdown_device(number, type);
    return finish();
}

/* The runtime routines: counts, mappings, copies, device pointers, properties, queues. */
#include "saxpy.h"

SITE(data_site, "data", 10);

int main(void) {
    enum { N = 1000 };
    static float x[N], y[N], z[N];
    for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = 0;
    int shared = acc_get_property(0, acc_device_current, acc_property_shared_memory_support) != 0;

    /* dynamic counts: two copyins, two deletes */
    void *first = acc_copyin(x, sizeof x);
    CHECK(first == acc_copyin(x, sizeof x) && first == acc_deviceptr(x));
    CHECK(acc_hostptr((char *)first + 40) == x + 10);
    acc_delete(x, sizeof x);
    CHECK(acc_is_present(x, sizeof x));
    acc_delete(x, sizeof x);
    CHECK(!acc_is_present(x, sizeof x) && acc_deviceptr(x) == NULL);
    acc_delete(x, sizeof x); /* absent: no action */
    acc_copyout(x, sizeof x);

    /* finalize ends every dynamic reference, a structured one stays */
    acc_create(y, sizeof y), acc_create(y, sizeof y);
    accl_var region = section("y", y, 0, N, 4, ACCL_COPY);
    accl_data_begin(&data_site, &region, 1, ACCL_SYNC);
    acc_delete_finalize(y, sizeof y);
    CHECK(acc_is_present(y, sizeof y));
    acc_update_device(y, sizeof y);
    acc_memcpy_device(acc_deviceptr(y), acc_copyin(x, sizeof x), sizeof x);
    if (!shared) CHECK(y[5] == 0);
    acc_update_self(y + 5, sizeof(float));
    CHECK(y[5] == 5);
    if (!shared) CHECK(y[6] == 0);
    accl_data_end(&data_site, &region, 1, ACCL_SYNC);
    for (int i = 0; i < N; i++) CHECK(y[i] == (float)i);
    acc_delete(x, sizeof x);

    /* acc_malloc, deviceptr arguments, acc_map_data */
    float *dx = acc_malloc(sizeof x), *dy = acc_malloc(sizeof y);
    CHECK(dx && dy && dx != dy);
    acc_memcpy_to_device(dx, x, sizeof x);
    acc_memcpy_to_device(dy, y, sizeof y);
    accl_var pointers[2] = {section("dx", dx, 0, N, 4, ACCL_DEVICEPTR), section("dy", dy, 0, 0, 4, ACCL_DEVICEPTR)};
    accl_data_begin(&data_site, pointers, 2, ACCL_SYNC);
    saxpy(pointers, 3, N, ACCL_SYNC);
    accl_data_end(&data_site, pointers, 2, ACCL_SYNC);
    acc_memcpy_from_device(z, dy, sizeof z);
    for (int i = 0; i < N; i++) CHECK(z[i] == 4 * (float)i);
    acc_map_data(z, dy, sizeof z);
    CHECK(acc_is_present(z, sizeof z) && acc_deviceptr(z + 1) == dy + 1);
    accl_var mapped[2] = {section("dx", dx, 0, N, 4, ACCL_DEVICEPTR), section("z", z, 0, N, 4, ACCL_COPY)};
    accl_data_begin(&data_site, mapped, 2, ACCL_SYNC);
    saxpy(mapped, 1, N, ACCL_SYNC);
    accl_data_end(&data_site, mapped, 2, ACCL_SYNC);
    CHECK(acc_is_present(z, sizeof z));
    if (!shared) CHECK(z[1] == 4);
    acc_update_self(z, sizeof z);
    if (!shared) for (int i = 0; i < N; i++) CHECK(z[i] == 5 * (float)i);
    acc_unmap_data(z);
    CHECK(!acc_is_present(z, 4));
    acc_free(dx), acc_free(dy);

    /* use_device */
    accl_var used = section("x", x, 0, N, 4, ACCL_USE_DEVICE);
    used.flags = ACCL_IF_PRESENT;
    CHECK(accl_use_device(&data_site, &used) == x);
    void *dev = acc_copyin(x, sizeof x);
    used.flags = 0;
    CHECK(accl_use_device(&data_site, &used) == dev);
    used.base = x - 3, used.offset = 12; /* a section that begins behind its base */
    CHECK(accl_use_device(&data_site, &used) == (char *)dev - 12);
    acc_delete(x, sizeof x);

    /* zero, no_create, empty sections */
    for (int i = 0; i < N; i++) y[i] = 7;
    accl_var zero = section("y", y, 0, N, 4, ACCL_COPYOUT);
    zero.flags = ACCL_ZERO;
    accl_data_begin(&data_site, &zero, 1, ACCL_SYNC);
    accl_data_end(&data_site, &zero, 1, ACCL_SYNC);
    CHECK(y[0] == 0 && y[N - 1] == 0);
    accl_var maybe = section("x", x, 0, N, 4, ACCL_NO_CREATE);
    accl_data_begin(&data_site, &maybe, 1, ACCL_SYNC);
    CHECK(!acc_is_present(x, 4));
    acc_copyin(x, sizeof x);
    accl_data_end(&data_site, &maybe, 1, ACCL_SYNC);
    CHECK(acc_is_present(x, 4)); /* its end must not lower a count its begin did not raise */
    acc_delete(x, sizeof x);
    accl_var empty = section("x", x, 0, 0, 4, ACCL_COPY);
    accl_data_begin(&data_site, &empty, 1, ACCL_SYNC);
    CHECK(!acc_is_present(x, 4));
    accl_data_end(&data_site, &empty, 1, ACCL_SYNC);

    /* devices and queues */
    acc_device_t kind = acc_get_device_type();
    CHECK(acc_get_num_devices(kind) >= 1 && acc_get_device_num(kind) == 0);
    CHECK(acc_get_num_devices(acc_device_host) == 1);
    CHECK(strlen(acc_get_property_string(0, kind, acc_property_name)) > 0);
    CHECK(acc_get_property(0, kind, acc_property_memory) > 0);
    CHECK(acc_on_device(acc_device_host) && !acc_on_device(acc_device_nvidia));
    CHECK(acc_get_default_async() == acc_async_noval);
    acc_set_default_async(4);
    CHECK(acc_get_default_async() == 4);
    acc_copyin_async(x, sizeof x, acc_async_noval);
    acc_wait(4);
    CHECK(acc_async_test(4) && acc_async_test(77));
    acc_wait_async(4, 5), acc_wait_all_async(5), acc_wait_all();
    acc_copyout_async(x, sizeof x, 5);
    acc_wait(5);
    CHECK(!acc_is_present(x, 4));
    if (kind != acc_device_nvidia) CHECK(acc_get_cuda_stream(1) == NULL);
    acc_copyin(x, sizeof x);
    acc_shutdown(kind);
    CHECK(!acc_is_present(x, 4));
    printf("ok\n");
    return 0;
}

/* Two devices: whose memory is whose, copies between them, and which one a construct makes current. */
#include "saxpy.h"

int omp_get_num_devices(void), omp_get_initial_device(void), omp_get_default_device(void);
void omp_set_default_device(int);
void *omp_target_alloc(size_t, int), *omp_get_mapped_ptr(const void *, int), *omp_target_memset(void *, int, size_t, int);
void omp_target_free(void *, int);
int omp_target_is_present(const void *, int), omp_target_associate_ptr(const void *, const void *, size_t, size_t, int);
int omp_target_disassociate_ptr(const void *, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
int omp_target_memcpy_rect(void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *, const size_t *,
                           const size_t *, int, int);

int main(int argc, char **argv) {
    CHECK(omp_get_num_devices() == 2 && omp_get_default_device() == 0);
    int host = omp_get_initial_device();
    enum { N = 20 << 20, BYTES = N * 4 };
    if (argc > 1) {
        void *first = omp_target_alloc(64, 0);
        void *more = omp_target_alloc(1 << 20, 0); /* the second device has nothing there */
        (void)first;
        if (!strcmp(argv[1], "device")) omp_target_free(more, 1);
        else omp_target_free(more, host);
        printf("went on\n");
        return 0;
    }

    /* more than goes through the host at once */
    int *in = malloc(BYTES), *out = malloc(BYTES);
    for (int i = 0; i < N; i++) in[i] = i, out[i] = -1;
    int *a = omp_target_alloc(BYTES, 0), *b = omp_target_alloc(BYTES, 1);
    CHECK(!omp_target_memcpy(a, in, BYTES, 0, 0, 0, host));
    CHECK(!omp_target_memcpy(b, a, BYTES - 4, 4, 0, 1, 0));
    CHECK(!omp_target_memcpy(out, b, BYTES - 4, 4, 4, host, 1));
    CHECK(out[0] == -1);
    for (int i = 1; i < N; i++) CHECK(out[i] == i - 1);

    /* a box of 2 by 3 by 4 */
    size_t volume[3] = {2, 3, 4}, to_offsets[3] = {1, 0, 2}, from_offsets[3] = {3, 2, 1}, to[3] = {3, 3, 6}, from[3] = {5, 5, 5};
    CHECK(omp_target_memset(b, 0, 54 * sizeof(int), 1) == b);
    CHECK(!omp_target_memcpy_rect(b, a, sizeof(int), 3, volume, to_offsets, from_offsets, to, from, 1, 0));
    CHECK(!omp_target_memcpy(out, b, 54 * sizeof(int), 0, 0, host, 1));
    for (int i = 0; i < 54; i++) {
        int x = i / 18 - 1, y = i / 6 % 3, z = i % 6 - 2;
        CHECK(out[i] == (x >= 0 && z >= 0 ? (3 + x) * 25 + (2 + y) * 5 + 1 + z : 0));
    }

    /* present on one device, associated on the other */
    CHECK(accl_omp_offloads(1) == 1);
    acc_copyin(in, BYTES);
    CHECK(accl_omp_offloads(ACCL_OMP_DEFAULT_DEVICE) == 1 && acc_get_device_num(acc_device_current) == 0);
    CHECK(omp_target_is_present(in + 5, 1) && !omp_target_is_present(in + 5, 0));
    CHECK(omp_get_mapped_ptr(in + 5, 1) && !omp_get_mapped_ptr(in + 5, 0));
    CHECK(!omp_target_associate_ptr(in, a, BYTES, 0, 0) && omp_get_mapped_ptr(in, 0) == (void *)a);
    CHECK(omp_target_disassociate_ptr(in, 1) != 0 && !omp_target_disassociate_ptr(in, 0));
    omp_set_default_device(1);
    CHECK(accl_omp_offloads(0) == 1 && accl_omp_offloads(ACCL_OMP_DEFAULT_DEVICE) == 1);
    acc_delete(in, BYTES);
    CHECK(!omp_target_is_present(in, 1));
    omp_target_free(a, 0), omp_target_free(b, 1);
    printf("ok\n");
    return 0;
}

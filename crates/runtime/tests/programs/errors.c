/* Mistakes of a user, by name; each ends the program with status 1 and a message. */
#include "saxpy.h"

SITE(data_site, "data", 10);
SITE(update_site, "update", 30);
enum { N = 100 };
static float a[N], b[N];

int main(int argc, char **argv) {
    const char *mistake = argc > 1 ? argv[1] : "";
    accl_var x = section("a[0:n]", a, 0, N, 4, ACCL_PRESENT), y = section("b", b, 0, N, 4, ACCL_COPYIN);
    y.line = 11;
    if (!strcmp(mistake, "absent")) {
        acc_copyin(b, sizeof b);
        accl_data_begin(&data_site, &x, 1, ACCL_SYNC);
    } else if (!strcmp(mistake, "partial")) {
        acc_copyin(b, sizeof b / 2);
        accl_data_begin(&data_site, &y, 1, ACCL_SYNC);
    } else if (!strcmp(mistake, "update")) {
        x.kind = ACCL_UPDATE_SELF;
        accl_update(&update_site, &x, 1, ACCL_SYNC);
    } else if (!strcmp(mistake, "free")) {
        acc_free(a);
    } else if (!strcmp(mistake, "device")) {
        acc_set_device_num(99, acc_device_default);
    } else if (!strcmp(mistake, "pointer")) {
        static float *pointer = a;
        acc_map_data(a, acc_malloc(sizeof a), sizeof a);
        acc_copyin(&pointer, sizeof pointer);
        acc_attach((void **)&pointer);
    } else if (!strcmp(mistake, "version")) {
        accl_module old = module;
        old.abi_version = 0;
        accl_register(&old);
    } else if (!strcmp(mistake, "code")) {
        static const accl_module wrong = {ACCL_ABI_VERSION, 0, "wrong.c", "this is no CUDA", "this is no OpenCL", NULL};
        static const accl_kernel kernel = {&saxpy_site, NULL, 0, 1, {ACCL_GRID_TRIPS, 0, 0}, 1, &saxpy_variant, 0, 0, NULL, NULL};
        accl_launch_info info = {&wrong, &kernel, NULL, NULL, NULL, {1, 0, 0}, 0, 0, 0, 0, ACCL_SYNC};
        accl_launch(&info);
    } else if (!strcmp(mistake, "fault")) { /* on a GPU only: the host would end at once */
        accl_var wild[2] = {section("x", (void *)8, 0, N, 4, ACCL_DEVICEPTR), section("y", (void *)8, 0, N, 4, ACCL_DEVICEPTR)};
        saxpy(wild, 1, N, ACCL_SYNC);
        acc_wait_all();
    } else {
        acc_init(acc_device_default);
    }
    printf("went on\n");
    return 0;
}

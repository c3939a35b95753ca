/* Four launches of one kernel whose arrays do not overlap, and two whose arrays do: each prints the number of the variant that
 * ran. */
#include "common.h"

SITE(loop_site, "parallel loop", 10);

/* Each variant writes its own number to out[0]. */
#define OPENCL_KERNEL(name, number)                                                                                \
    "__kernel void " name "(__global int *in_buf, long in_off, __global int *out_buf, long out_off) {\n"           \
    "  __global int *out = (__global int *)((__global char *)out_buf + out_off);\n"                                \
    "  if (get_global_id(0) == 0) out[0] = " number ";\n}\n"
#define CUDA_KERNEL(name, number)                                                                                  \
    "extern \"C\" __global__ void " name "(int *in, int *out) {\n"                                                 \
    "  if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = " number ";\n}\n"
static const accl_module module = {
    ACCL_ABI_VERSION, 0, __FILE__,
    CUDA_KERNEL("k_jam", "1") CUDA_KERNEL("k_noalias", "2") CUDA_KERNEL("k", "3"),
    OPENCL_KERNEL("k_jam", "1") OPENCL_KERNEL("k_noalias", "2") OPENCL_KERNEL("k", "3"), NULL};
static void cpu_version(int64_t begin, int64_t end, int64_t total, void *const *args) {
    (void)begin, (void)end, (void)total;
    **(int *const *)args[1] = 0;
}
static const accl_variant variants[] = {{"k_jam", ACCL_NEEDS_NOALIAS | ACCL_NEEDS_HIGH_OCCUPANCY, {32, 1, 1}, {4, 1, 1}, 0},
                                        {"k_noalias", ACCL_NEEDS_NOALIAS, {32, 1, 1}, {1, 1, 1}, 0},
                                        {"k", 0, {32, 1, 1}, {1, 1, 1}, 0}};
static const accl_arg args[] = {{ACCL_ARG_DATA, 0, 0, ACCL_ARG_READ}, {ACCL_ARG_DATA, 1, 0, ACCL_ARG_WRITTEN}};
static const accl_kernel kernel = {&loop_site, cpu_version, 0, 1, {ACCL_GRID_TRIPS, 0, 0}, 3, variants,
                                   2, 0, args, NULL};

static int a[1000];

static void launch(size_t read) {
    accl_var vars[2] = {section("a", a, 0, read, 4, ACCL_PRESENT), section("a", a + 500, 0, 500, 4, ACCL_PRESENT)};
    accl_launch_info info = {&module, &kernel, vars, NULL, NULL, {100, 0, 0}, 0, 0, 0, 0, ACCL_SYNC};
    a[500] = -1;
    acc_update_device(a + 500, 4);
    accl_launch(&info);
    acc_update_self(a + 500, 4);
    printf("%d ", a[500]);
}

int main(void) {
    accl_register(&module);
    acc_copyin(a, sizeof a);
    for (int i = 0; i < 4; i++) launch(500);
    launch(501);
    launch(501);
    acc_delete(a, sizeof a);
    printf("ok\n");
    return 0;
}

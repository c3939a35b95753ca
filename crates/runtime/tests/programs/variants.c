/* Which variant of a kernel is taken, and how large its grid is; reductions on a queue add up. */
#include "saxpy.h"

SITE(loop_site, "parallel loop", 10);
SITE(data_site, "data", 20);

/* Each variant writes its own number to out[0], and its grid and block to out[1] and out[2]. */
#define OPENCL_KERNEL(name, number)                                                                                \
    "__kernel void " name "(__global int *in_buf, long in_off, __global int *out_buf, long out_off) {\n"           \
    "  __global int *out = (__global int *)((__global char *)out_buf + out_off);\n"                                \
    "  if (get_global_id(0) == 0) { out[0] = " number "; out[1] = get_num_groups(0); out[2] = get_local_size(0); }\n}\n"
#define CUDA_KERNEL(name, number)                                                                                  \
    "extern \"C\" __global__ void " name "(int *in, int *out) {\n"                                                 \
    "  if (blockIdx.x == 0 && threadIdx.x == 0) { out[0] = " number "; out[1] = gridDim.x; out[2] = blockDim.x; }\n}\n"
static const accl_module choice = {
    ACCL_ABI_VERSION, 0, __FILE__,
    CUDA_KERNEL("apart", "1") CUDA_KERNEL("aligned", "2") CUDA_KERNEL("plain", "3"),
    OPENCL_KERNEL("apart", "1") OPENCL_KERNEL("aligned", "2") OPENCL_KERNEL("plain", "3"), NULL};
static void any_cpu(int64_t begin, int64_t end, int64_t total, void *const *args) {
    (void)begin, (void)end, (void)total, (void)args;
}
static const accl_variant variants[] = {{"apart", ACCL_NEEDS_NOALIAS | ACCL_NEEDS_INT32, {32, 1, 1}, {4, 1, 1}, 0},
                                        {"aligned", ACCL_NEEDS_ALIGN16, {64, 1, 1}, {1, 1, 1}, 0},
                                        {"plain", 0, {64, 1, 1}, {1, 1, 1}, 0}};
static const accl_arg args[] = {{ACCL_ARG_DATA, 0, 0, ACCL_ARG_READ | ACCL_ARG_VECTOR},
                                {ACCL_ARG_DATA, 1, 0, ACCL_ARG_WRITTEN}};
static const accl_kernel kernel = {&loop_site, any_cpu, ACCL_KERNEL_VECTOR_X, 1, {ACCL_GRID_TRIPS, 0, 0}, 3, variants,
                                   2, 0, args, NULL};

static int a[1000];

static void expect(accl_var in, accl_var out, int64_t vector_length, int variant, int grid, int block) {
    accl_var vars[2] = {in, out};
    accl_launch_info info = {&choice, &kernel, vars, NULL, NULL, {1000, 0, 0}, 0, 0, vector_length, 0, ACCL_SYNC};
    accl_launch(&info);
    acc_update_self((char *)out.base + out.offset, 12);
    int *r = (int *)((char *)out.base + out.offset);
    printf("variant %d grid %d block %d\n", r[0], r[1], r[2]);
    if (acc_get_device_type() != acc_device_host) CHECK(r[0] == variant && r[1] == grid && r[2] == block);
}

int main(void) {
    accl_register(&choice);
    acc_copyin(a, sizeof a);
    expect(section("a", a, 0, 500, 4, ACCL_PRESENT), section("a", a + 500, 0, 500, 4, ACCL_PRESENT), 0, 1, 8, 32);
    expect(section("a", a, 0, 501, 4, ACCL_PRESENT), section("a", a + 500, 0, 500, 4, ACCL_PRESENT), 0, 2, 16, 64);
    expect(section("a", a + 1, 0, 501, 4, ACCL_PRESENT), section("a", a + 500, 0, 500, 4, ACCL_PRESENT), 0, 3, 16, 64);
    expect(section("a", a + 1, 0, 501, 4, ACCL_PRESENT), section("a", a + 500, 0, 500, 4, ACCL_PRESENT), 128, 3, 8, 128);
    acc_delete(a, sizeof a);

    /* two reductions into one variable on one queue, and one into a variable that is present */
    static float y[5000];
    for (int i = 0; i < 5000; i++) y[i] = 1;
    accl_var v = section("y", y, 0, 5000, 4, ACCL_COPYIN);
    double total = 1, there = 10;
    accl_data_begin(&data_site, &v, 1, 3);
    sum(&v, &total, 5000, 3);
    sum(&v, &total, 5000, 3);
    acc_wait(3);
    CHECK(total == 10001);
    acc_copyin(&there, sizeof there);
    sum(&v, &there, 5000, ACCL_SYNC);
    if (!acc_get_property(0, acc_device_current, acc_property_shared_memory_support)) CHECK(there == 10);
    acc_copyout(&there, sizeof there);
    CHECK(there == 5010);
    accl_data_end(&data_site, &v, 1, ACCL_SYNC);
    printf("ok\n");
    return 0;
}

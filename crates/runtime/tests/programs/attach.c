/* Pointers inside structures: attach, detach, and transfers that leave them alone. */
#include "common.h"

typedef struct { long before; double *data; int n; } list;

SITE(enter_site, "enter data", 10);
SITE(exit_site, "exit data", 20);
SITE(update_site, "update", 30);
SITE(loop_site, "parallel loop", 40);

static void scale_cpu(int64_t begin, int64_t end, int64_t total, void *const *args) {
    list *s = *(list *const *)args[0];
    (void)total;
    for (int64_t i = begin; i < end; i++) s->data[i] *= 2;
    if (begin == 0) s->before = s->n;
}
static const char cuda_source[] =
    "struct list { long before; double *data; int n; };\n"
    "extern \"C\" __global__ void scale(list *s, long long n) {\n"
    "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
    "  if (i < n) s->data[i] *= 2;\n"
    "  if (i == 0) s->before = s->n;\n"
    "}\n";
static const char opencl_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef struct { long before; __global double *data; int n; } list;\n"
    "__kernel void scale(__global list *s_buf, long s_off, long n) {\n"
    "  __global list *s = (__global list *)((__global char *)s_buf + s_off);\n"
    "  long i = get_global_id(0);\n"
    "  if (i < n) s->data[i] *= 2;\n"
    "  if (i == 0) s->before = s->n;\n"
    "}\n";
static const accl_module module = {ACCL_ABI_VERSION, 0, __FILE__, cuda_source, opencl_source, NULL};
static const accl_variant variant = {"scale", 0, {64, 1, 1}, {1, 1, 1}, 0};
static const accl_arg args[] = {{ACCL_ARG_DATA, 0, 0, ACCL_ARG_READ | ACCL_ARG_WRITTEN}, {ACCL_ARG_TRIPS, 0, 0, 0}};
static const accl_kernel kernel = {&loop_site, scale_cpu, 0, 1, {ACCL_GRID_TRIPS, 0, 0}, 1, &variant, 2, 0, args, NULL};

int main(void) {
    enum { N = 300 };
    list s = {0, malloc(N * sizeof(double)), N};
    double *host = s.data;
    for (int i = 0; i < N; i++) s.data[i] = i;
    accl_register(&module);
    accl_var vars[3] = {section("s", &s, 0, 1, sizeof s, ACCL_COPYIN), section("s.data[0:n]", s.data, 0, N, 8, ACCL_COPYIN),
                        section("s.data", &s.data, 0, 1, sizeof(void *), ACCL_ATTACH)};
    accl_enter_data(&enter_site, vars, 3, ACCL_SYNC);
    accl_data_begin(&loop_site, vars, 3, ACCL_SYNC); /* counts 2: the pointer stays attached below */
    accl_var arg = section("s", &s, 0, 1, sizeof s, ACCL_PRESENT);
    const void *values[2] = {NULL, NULL};
    accl_launch_info info = {&module, &kernel, &arg, values, NULL, {N, 0, 0}, 0, 0, 0, 0, ACCL_SYNC};
    accl_launch(&info);
    accl_data_end(&loop_site, vars, 3, ACCL_SYNC);
    accl_launch(&info);

    /* both directions over the pointer */
    accl_var self = section("s", &s, 0, 1, sizeof s, ACCL_UPDATE_SELF);
    accl_update(&update_site, &self, 1, ACCL_SYNC);
    CHECK(s.data == host && s.before == N);
    s.n = 77;
    accl_var device = section("s", &s, 0, 1, sizeof s, ACCL_UPDATE_DEVICE);
    accl_update(&update_site, &device, 1, ACCL_SYNC);
    accl_launch(&info);
    accl_update(&update_site, &self, 1, 3);
    acc_wait(3);
    CHECK(s.data == host && s.before == 77);

    accl_var out[3] = {section("s", &s, 0, 1, sizeof s, ACCL_COPYOUT), section("s.data[0:n]", s.data, 0, N, 8, ACCL_COPYOUT),
                       section("s.data", &s.data, 0, 1, sizeof(void *), ACCL_DETACH)};
    accl_exit_data(&exit_site, out, 3, ACCL_SYNC);
    CHECK(s.data == host);
    for (int i = 0; i < N; i++) CHECK(host[i] == 8.0 * i);
    CHECK(!acc_is_present(&s, sizeof s) && !acc_is_present(host, 8));
    printf("ok\n");
    return 0;
}

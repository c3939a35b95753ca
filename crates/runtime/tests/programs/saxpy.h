/* Two kernels in all three languages: y = a*x + y, and sum += y[i]. */
#include "common.h"

static void saxpy_cpu(int64_t begin, int64_t end, int64_t total, void *const *args) {
    const float *x = *(float *const *)args[0];
    float *y = *(float *const *)args[1];
    float a = *(const float *)args[2];
    (void)total;
    for (int64_t i = begin; i < end; i++) y[i] = a * x[i] + y[i];
}

static void sum_cpu(int64_t begin, int64_t end, int64_t total, void *const *args) {
    const float *y = *(float *const *)args[0];
    double *partial = *(double *const *)args[1];
    double own = *partial;
    (void)total;
    for (int64_t i = begin; i < end; i++) own += y[i];
    *partial = own;
}

static const char opencl_source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "__kernel void saxpy(__global float *x_buf, long x_off, __global float *y_buf, long y_off, float a, long n) {\n"
    "  __global float *x = (__global float *)((__global char *)x_buf + x_off);\n"
    "  __global float *y = (__global float *)((__global char *)y_buf + y_off);\n"
    "  long i = get_global_id(0);\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n"
    "__kernel void sum(__global float *y_buf, long y_off, __global double *result, __global double *partials,\n"
    "                  __global unsigned *arrivals, long n) {\n"
    "  __global float *y = (__global float *)((__global char *)y_buf + y_off);\n"
    "  __local double own[64];\n"
    "  __local unsigned last;\n"
    "  double t = 0;\n"
    "  for (long i = get_global_id(0); i < n; i += get_global_size(0)) t += y[i];\n"
    "  own[get_local_id(0)] = t;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0) {\n"
    "    double s = 0;\n"
    "    for (int k = 0; k < 64; k++) s += own[k];\n"
    "    partials[get_group_id(0)] = s;\n"
    "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "    last = atomic_inc(arrivals) == get_num_groups(0) - 1;\n"
    "    if (last) {\n"
    "      double all = 0;\n"
    "      for (unsigned k = 0; k < get_num_groups(0); k++) all += ((volatile __global double *)partials)[k];\n"
    "      *result = *result + all;\n"
    "      *arrivals = 0;\n"
    "    }\n"
    "  }\n"
    "}\n";

static const char cuda_source[] =
    "extern \"C\" __global__ void saxpy(float *x, float *y, float a, long long n) {\n"
    "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n"
    "extern \"C\" __global__ void sum(float *y, double *result, double *partials, unsigned *arrivals, long long n) {\n"
    "  __shared__ double own[64];\n"
    "  double t = 0;\n"
    "  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) t += y[i];\n"
    "  own[threadIdx.x] = t;\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x == 0) {\n"
    "    double s = 0;\n"
    "    for (int k = 0; k < 64; k++) s += own[k];\n"
    "    partials[blockIdx.x] = s;\n"
    "    __threadfence();\n"
    "    if (atomicAdd(arrivals, 1u) == gridDim.x - 1) {\n"
    "      __threadfence();\n"
    "      double all = 0;\n"
    "      for (unsigned k = 0; k < gridDim.x; k++) all += ((volatile double *)partials)[k];\n"
    "      *result = *result + all;\n"
    "      *arrivals = 0;\n"
    "    }\n"
    "  }\n"
    "}\n";

static const accl_module module = {ACCL_ABI_VERSION, 0, __FILE__, cuda_source, opencl_source, NULL};

SITE(saxpy_site, "parallel loop", 12);
static const accl_variant saxpy_variant = {"saxpy", 0, {128, 1, 1}, {1, 1, 1}, 0};
static const accl_arg saxpy_args[] = {
    {ACCL_ARG_DATA, 0, 0, ACCL_ARG_READ},
    {ACCL_ARG_DATA, 1, 0, ACCL_ARG_READ | ACCL_ARG_WRITTEN},
    {ACCL_ARG_VALUE, 0, sizeof(float), 0},
    {ACCL_ARG_TRIPS, 0, 0, 0}};
static const accl_kernel saxpy_kernel = {&saxpy_site, saxpy_cpu, ACCL_KERNEL_VECTOR_X, 1, {ACCL_GRID_TRIPS, 0, 0}, 1,
                                         &saxpy_variant, 4, 0, saxpy_args, NULL};

SITE(sum_site, "parallel loop", 20);
static const accl_variant sum_variant = {"sum", 0, {64, 1, 1}, {1, 1, 1}, 0};
static const accl_arg sum_args[] = {
    {ACCL_ARG_DATA, 0, 0, ACCL_ARG_READ}, {ACCL_ARG_REDUCTION, 0, 0, 0}, {ACCL_ARG_TRIPS, 0, 0, 0}};
static const accl_reduction sum_reduction = {ACCL_ADD, ACCL_F64};
static const accl_kernel sum_kernel = {&sum_site, sum_cpu, 0, 1, {ACCL_GRID_GANGS, 0, 0}, 1, &sum_variant, 3, 1,
                                       sum_args, &sum_reduction};

__attribute__((constructor)) static void register_module(void) { accl_register(&module); }

static inline void saxpy(accl_var *vars, float a, int64_t n, int64_t async) {
    const void *values[4] = {NULL, NULL, &a, NULL};
    accl_launch_info info = {&module, &saxpy_kernel, vars, values, NULL, {n, 0, 0}, 0, 0, 0, 0, async};
    accl_launch(&info);
}

static inline void sum_by(int64_t gangs, accl_var *vars, double *result, int64_t n, int64_t async) {
    void *variables[1] = {result};
    const void *values[3] = {NULL, NULL, NULL};
    accl_launch_info info = {&module, &sum_kernel, vars, values, variables, {n, 0, 0}, gangs, 0, 0, 0, async};
    accl_launch(&info);
}

static inline void sum(accl_var *vars, double *result, int64_t n, int64_t async) { sum_by(0, vars, result, n, async); }

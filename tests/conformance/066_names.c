// Variables, members, functions and structures with names that mean something in CUDA, OpenCL or C++, or in headers that
// device code includes.
// expect: launches=3
// flags: -w
#include "check.h"

// clang-format off
#define NAMES(X) \
    X(half) X(kernel) X(global) X(local) X(constant) X(private) X(read_only) X(image2d_t) X(sampler_t) \
    X(event_t) X(pipe) X(uchar) X(ushort) X(uint) X(ulong) X(float2) X(float4) X(double2) X(int4) X(dim3) \
    X(warpSize) X(threadIdx) X(blockIdx) X(blockDim) X(get_global_id) X(get_local_id) X(barrier) X(min) X(max) \
    X(clamp) X(mix) X(step) X(sign) X(select) X(dot) X(cross) X(length) X(distance) X(normalize) X(fma) X(mad) \
    X(rotate) X(popcount) X(clz) X(hypot) X(rsqrt) X(native_sin) X(as_float) X(convert_int) X(atomic_add) \
    X(atomicAdd) X(vec_step) X(vload4) X(shared) X(device) X(host) X(texture) X(surface) X(tex2D) X(bool) \
    X(byte) X(complex) X(size_type) X(new) X(delete) X(class) X(template) X(typename) X(namespace) X(operator) \
    X(virtual) X(friend) X(public) X(protected) X(throw) X(using) X(mutable) X(explicit) X(export) \
    X(cudaError_t) X(clock64) X(trap) X(saturate) X(norm) X(sinpi) X(exp10) X(any) X(all) X(begin) X(end) \
    X(total) X(first) X(last) X(lane) X(index) X(generic) X(unroll) X(uniform) X(M_x) X(FLT_y) X(INT_z) X(ctz) \
    X(ndrange_t) X(prefetch) X(mem_fence) X(decltype) X(nullptr)
#define FUNCTIONS(X) \
    X(half) X(kernel) X(global) X(local) X(constant) X(private) X(read_only) X(image2d_t) X(sampler_t) \
    X(event_t) X(pipe) X(uchar) X(ushort) X(uint) X(ulong) X(float2) X(float4) X(double2) X(int4) X(dim3) \
    X(warpSize) X(threadIdx) X(blockIdx) X(blockDim) X(get_global_id) X(get_local_id) X(barrier) X(min) X(max) \
    X(clamp) X(mix) X(step) X(sign) X(dot) X(cross) X(length) X(distance) X(normalize) X(mad) X(rotate) \
    X(popcount) X(clz) X(rsqrt) X(native_sin) X(as_float) X(convert_int) X(atomic_add) X(atomicAdd) \
    X(vec_step) X(vload4) X(shared) X(device) X(host) X(texture) X(surface) X(tex2D) X(byte) X(complex) \
    X(size_type) X(new) X(delete) X(class) X(template) X(typename) X(namespace) X(operator) X(virtual) \
    X(friend) X(public) X(protected) X(throw) X(using) X(mutable) X(explicit) X(export) X(cudaError_t) \
    X(clock64) X(trap) X(saturate) X(norm) X(sinpi) X(any) X(all) X(begin) X(end) X(total) X(first) X(last) \
    X(lane) X(generic) X(unroll) X(uniform) X(M_x) X(FLT_y) X(INT_z) X(ctz) X(ndrange_t) X(prefetch) \
    X(mem_fence) X(decltype) X(nullptr)
// clang-format on

struct members {
#define MEMBER(name) int name;
    NAMES(MEMBER)
};

#define FUNCTION(name) \
    static int name(int x) { return 2 * x + (int)sizeof #name; }
FUNCTIONS(FUNCTION)

#define STRUCTURE(name) struct name { short from; int to; };
NAMES(STRUCTURE)

static int locals(int seed)
{
    int sum = 0;
#define LOCAL(name) { int name = seed + (int)sizeof #name; sum = 3 * sum % 10007 + name; }
    NAMES(LOCAL)
    return sum;
}

static int calls(int seed)
{
    int sum = 0;
#define CALL(name) sum = 3 * sum % 10007 + name(seed);
    FUNCTIONS(CALL)
    return sum;
}

static int structures(int seed)
{
    int sum = 0;
#define USE(name) { struct name s; s.from = seed; s.to = (int)sizeof #name; sum = 3 * sum % 10007 + s.from * s.to; }
    NAMES(USE)
    return sum;
}

int main(void)
{
    enum { N = 3 };
    struct members m[N];
    int a[N], b[N], c[N];
#pragma acc parallel loop copyout(m)
    for (int i = 0; i < N; i++) {
#define SET(name) m[i].name = i + (int)sizeof #name;
        NAMES(SET)
    }
#pragma acc parallel loop copyout(a, b, c)
    for (int i = 0; i < N; i++) {
        a[i] = locals(i);
        b[i] = calls(i);
        c[i] = structures(i);
    }
    for (int i = 0; i < N; i++) {
#define COMPARE(name) check_int(#name, i, m[i].name, i + (int)sizeof #name);
        NAMES(COMPARE)
        check_int("locals", i, a[i], locals(i));
        check_int("calls", i, b[i], calls(i));
        check_int("structures", i, c[i], structures(i));
    }
    // As parameters of a kernel.
    int threadIdx = 4, kernel = 5;
    int *global = a, *warpSize = b;
#pragma acc parallel loop copy(global[0:N]) copyin(warpSize[0:N])
    for (int half = 0; half < N; half++)
        global[half] = warpSize[half] * threadIdx + kernel;
    for (int i = 0; i < N; i++)
        check_int("parameters", i, a[i], b[i] * 4 + 5);
    return finish();
}

// Ordinary C names that mean something in CUDA, OpenCL or C++: variables, arrays, members, functions.
// expect: launches=2 uploads>=3 downloads=3
#include "check.h"

#define N 88

struct float4 {
    float x, y;
};

#pragma acc routine seq
static int max(int a, int b)
{
    return a > b ? a : b;
}

#pragma acc routine seq
static float dot(float this, float template)
{
    return this * template;
}

static int kernel[N], global[N], local[N];
static struct float4 half[N];

int main(void)
{
    int threadIdx = 3, blockDim = 5, grid = 7, new = 2, class = 4;
    float constant[N], event = 0.5f;
    for (int i = 0; i < N; i++) {
        kernel[i] = i;
        global[i] = 2 * i;
        half[i].x = i;
    }
#pragma acc parallel loop copyin(kernel, global) copyout(local)
    for (int i = 0; i < N; i++) {
        int get_global_id = kernel[i] + global[i], private = max(i, 40), shared = threadIdx;
        local[i] = get_global_id + private + shared * blockDim + grid * new + class;
    }
#pragma acc parallel loop copy(half) copyout(constant)
    for (int i = 0; i < N; i++) {
        float uint = half[i].x, sampler_t = uint + 1.0f, barrier = dot(uint, sampler_t);
        half[i].y = barrier;
        constant[i] = uint * event;
    }
    for (int i = 0; i < N; i++) {
        check_int("local", i, local[i], 3 * i + (i > 40 ? i : 40) + 15 + 14 + 4);
        check_near("half", i, half[i].y, i * (i + 1.0f), 0.0);
        check_near("constant", i, constant[i], 0.5f * i, 0.0);
    }
    return finish();
}

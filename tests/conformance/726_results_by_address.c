// Loops of kernels constructs whose iterations give functions the addresses of variables of their own: these hold no pointers,
// so what functions write there is no array's.
// devices: cpu opencl cuda
// expect: launches=1
// expect-remark: Loop is parallelizable where arrays do not overlap, which each launch tests
#include "check.h"

typedef struct { double x, y, z; } vector;

#pragma acc routine seq
static void velocity_of(double density, vector momentum, vector *velocity)
{
    velocity->x = momentum.x / density;
    velocity->y = momentum.y / density;
    velocity->z = momentum.z / density;
}

#pragma acc routine seq
static double squared(vector v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

static void steps(int n, double *variables, double *areas, double *factors)
{
    int block, i;
#pragma acc kernels present(variables[0:4 * n], areas[0:n], factors[0:n])
    {
        for (block = 0; block < n / 8; block++) {
            int begin = block * 8;
            int end = (block + 1) * 8 > n ? n : (block + 1) * 8;
            for (i = begin; i < end; i++) {
                double density = variables[i];
                vector momentum, velocity;
                momentum.x = variables[i + n];
                momentum.y = variables[i + 2 * n];
                momentum.z = variables[i + 3 * n];
                velocity_of(density, momentum, &velocity);
                factors[i] = 0.5 / (areas[i] + squared(velocity));
            }
        }
    }
}

#define N 800
static double variables[4 * N], areas[N], factors[N];

int main(void)
{
    for (int i = 0; i < 4 * N; i++)
        variables[i] = 1 + i % 13;
    for (int i = 0; i < N; i++)
        areas[i] = 1 + i % 7;
#pragma acc data copyin(variables, areas) copyout(factors)
    steps(N, variables, areas, factors);
    for (int i = 0; i < N; i++) {
        double d = variables[i], x = variables[i + N] / d, y = variables[i + 2 * N] / d, z = variables[i + 3 * N] / d;
        check_near("factors", i, factors[i], 0.5 / (areas[i] + (x * x + y * y + z * z)), 1e-12);
    }
    return finish();
}

// declare target across files: functions in a second file, and variables in a third; one function is marked where it is defined.
// expect: launches=3
// sources: parts/820_physics.c parts/820_table.c
#include "../check.h"
#include "parts/820_sim.h"

#define N 400

int main(void)
{
    static double x[N], v[N], xh[N], vh[N], e[N / 10];
    static int bounces[N];
    static float h[N];
    set_table();
    for (int i = 0; i < N; i++) {
        xh[i] = x[i] = i % 50;
        vh[i] = v[i] = (i % 7 - 3) * 90;
    }
#pragma omp target data map(tofrom: x, v) map(from: bounces, e)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) {
            bounces[i] = 0;
            for (int s = 0; s < steps; s++) {
                v[i] += accelerate(x[i], s - 1);
                x[i] += v[i] * dt;
                bounces[i] += bounce(&x[i], &v[i]);
            }
        }
#pragma omp target teams distribute parallel for
        for (int j = 0; j < N / 10; j++)
            e[j] = energy(v + 10 * j, 10);
    }
#pragma omp target teams distribute parallel for map(from: h)
    for (int i = 0; i < N; i++)
        h[i] = half(i);
    for (int i = 0; i < N; i++) {
        int count = 0;
        for (int s = 0; s < steps; s++) {
            vh[i] += accelerate(xh[i], s - 1);
            xh[i] += vh[i] * dt;
            count += bounce(&xh[i], &vh[i]);
        }
        check_near("x", i, x[i], xh[i], 1e-12);
        check_near("v", i, v[i], vh[i], 1e-12);
        check_int("bounces", i, bounces[i], count);
        check_near("half", i, h[i], i / 2.0, 0);
    }
    for (int j = 0; j < N / 10; j++)
        check_near("energy", j, e[j], energy(vh + 10 * j, 10), 1e-12);
    return finish();
}

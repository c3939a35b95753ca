/* Bodies with the ones at hand in shared memory, a window that all blocks share and that moves (fcw). */
#ifdef CACHE
#define BENCH_NAME "nbody_cache"
#else
#define BENCH_NAME "nbody_fcw"
#endif
#include "nbody.h"

#define TILE 256

static void nbody(int n, bench_timer *t)
{
#pragma acc data copyin(x[:n], y[:n], z[:n], mass[:n], vx[:n], vy[:n], vz[:n]) \
    copyout(new_x[:n], new_y[:n], new_z[:n], new_vx[:n], new_vy[:n], new_vz[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop vector_length(TILE) async(1)
            for (int i = 0; i < n; i++) {
                float xi = x[i], yi = y[i], zi = z[i];
                float ax = 0.0f, ay = 0.0f, az = 0.0f;
                for (int first = 0; first < n; first += TILE) {
                    int end = first + TILE < n ? first + TILE : n;
#ifdef CACHE
#pragma acc cache(x[first:TILE], y[first:TILE], z[first:TILE], mass[first:TILE])
#else
#pragma acc fcw FETCH_ONLY(x[first:0:TILE - 1], y[first:0:TILE - 1], z[first:0:TILE - 1], mass[first:0:TILE - 1])
#endif
                    for (int j = first; j < end; j++) {
                        float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
                        float square = dx * dx + dy * dy + dz * dz + SOFTENING;
                        float inverse = 1.0f / sqrtf(square);
                        float factor = mass[j] * inverse * inverse * inverse;
                        ax += dx * factor;
                        ay += dy * factor;
                        az += dz * factor;
                    }
                }
                new_vx[i] = vx[i] + TIME_STEP * ax;
                new_vy[i] = vy[i] + TIME_STEP * ay;
                new_vz[i] = vz[i] + TIME_STEP * az;
                new_x[i] = xi + TIME_STEP * new_vx[i];
                new_y[i] = yi + TIME_STEP * new_vy[i];
                new_z[i] = zi + TIME_STEP * new_vz[i];
            }
        }
#pragma acc wait
    }
}

/* Flow on an unstructured grid in OpenACC, a cell an iteration: step factors, then fluxes and a step for each stage. */
#include "cfd.h"

static void step_factors(int n, const float *restrict variable, const float *restrict area, float *restrict factor)
{
#pragma acc parallel loop gang vector async(1) present(variable[:VARIABLES * n], area[:n], factor[:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        flow f = flow_of(state_at(n, variable, i));
        factor[i] = 0.5f / (sqrtf(area[i]) * (f.speed + f.sound));
    }
}

static void fluxes(int n, const int *restrict behind, const float *restrict normal, const float *restrict variable,
                   state far_away, float *restrict flux)
{
#pragma acc parallel loop gang vector async(1) present(behind[:FACES * n], normal[:FACES * AXES * n]) \
    present(variable[:VARIABLES * n], flux[:VARIABLES * n]) firstprivate(far_away)
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        state own = state_at(n, variable, i), sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        flow here = flow_of(own);
        for (int k = 0; k < FACES; k++)
            sum = through_face(sum, n, behind, normal, variable, far_away, i, k, own, here);
        flux[i] = sum.density;
        flux[n + i] = sum.x;
        flux[2 * n + i] = sum.y;
        flux[3 * n + i] = sum.z;
        flux[4 * n + i] = sum.energy;
    }
}

static void advance(int n, int parts, const float *restrict old, const float *restrict factor, const float *restrict flux,
                    float *restrict variable)
{
#pragma acc parallel loop gang vector async(1) present(old[:VARIABLES * n], factor[:n], flux[:VARIABLES * n]) \
    present(variable[:VARIABLES * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float part = factor[i] / parts;
        for (int v = 0; v < VARIABLES; v++)
            variable[v * n + i] = old[v * n + i] + part * flux[v * n + i];
    }
}

static void copy(int all, const float *restrict from, float *restrict to)
{
#pragma acc parallel loop async(1) present(from[:all], to[:all])
#pragma omp parallel for
    for (int i = 0; i < all; i++)
        to[i] = from[i];
}

static void cfd(mesh m, int steps, float *restrict variable, bench_timer *t)
{
    const int n = m.n, all = VARIABLES * n, *behind = m.behind;
    const float *normal = m.normal, *area = m.area, *start = m.start;
    float *restrict old = bench_alloc(all, sizeof *old);
    float *restrict flux = bench_alloc(all, sizeof *flux);
    float *restrict factor = bench_alloc(n, sizeof *factor);
#pragma acc data copyin(behind[:FACES * n], normal[:FACES * AXES * n], area[:n], start[:all]) \
    copyout(variable[:all]) create(old[:all], flux[:all], factor[:n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            copy(all, start, variable);
            for (int step = 0; step < steps; step++) {
                copy(all, variable, old);
                step_factors(n, variable, area, factor);
                for (int stage = 0; stage < STAGES; stage++) {
                    fluxes(n, behind, normal, variable, m.far_away, flux);
                    advance(n, STAGES + 1 - stage, old, factor, flux, variable);
                }
            }
        }
#pragma acc wait
    }
    free(old);
    free(flux);
    free(factor);
}

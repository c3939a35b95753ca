/* A flow through an unstructured mesh in OpenACC: `kernels`, and pointers of which nobody said that they
 * do not overlap. */
#include "kernels_copy.h"

static void copy(double *to, const double *from, int n)
{
#pragma acc kernels loop present(to[:n], from[:n]) async(1)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

static void compute_flux(int n, const int *neighbour, const double *area, const double *values, double *flux)
{
#pragma acc kernels loop present(neighbour[:SIDES * n], area[:SIDES * n]) \
    present(values[:VALUES * n], flux[:VALUES * n]) async(1)
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum[VALUES];
        for (int v = 0; v < VALUES; v++)
            sum[v] = 0.0;
        for (int k = 0; k < SIDES; k++) {
            int other = neighbour[k * n + i];
            if (other >= 0)
                for (int v = 0; v < VALUES; v++)
                    sum[v] += area[k * n + i] * (values[v * n + other] - values[v * n + i]);
        }
        for (int v = 0; v < VALUES; v++)
            flux[v * n + i] = sum[v];
    }
}

static void time_step(int n, const double *old, const double *flux, double *values)
{
#pragma acc kernels loop present(old[:VALUES * n], flux[:VALUES * n], values[:VALUES * n]) async(1)
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int v = 0; v < VALUES; v++)
            values[v * n + i] = old[v * n + i] + TIME_STEP * flux[v * n + i];
}

static void flow(mesh m, int steps, const double *start, double *values, bench_timer *t)
{
    const int n = m.cells, *neighbour = m.neighbour;
    const double *area = m.area;
    double *old = bench_alloc((size_t)VALUES * n, sizeof *old);
    double *flux = bench_alloc((size_t)VALUES * n, sizeof *flux);
#pragma acc data copyin(neighbour[:SIDES * n], area[:SIDES * n], start[:VALUES * n]) \
    copyout(values[:VALUES * n]) create(old[:VALUES * n], flux[:VALUES * n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            copy(values, start, VALUES * n);
            for (int s = 0; s < steps; s++) {
                copy(old, values, VALUES * n);
                compute_flux(n, neighbour, area, values, flux);
                time_step(n, old, flux, values);
            }
        }
#pragma acc wait
    }
    free(old);
    free(flux);
}

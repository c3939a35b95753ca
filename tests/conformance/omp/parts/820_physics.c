#include "820_sim.h"

static int bounces_seen = 3;
#pragma omp declare target(bounces_seen)

static double pull(double x)
{
    return -x;
}

double accelerate(double x, int s)
{
    if (s < 0)
        return 0;
    return pull(x) * table[s].charge[1] / table[s].mass * dt;
}

int bounce(double *x, double *v)
{
    int count = 0;
    while (*x < 0 || *x > CELLS) {
        *x = *x < 0 ? -*x : 2 * CELLS - *x;
        *v = -*v;
        if (++count == bounces_seen)
            return -count;
    }
    return count;
}

double energy(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum / 2;
}

#pragma omp declare target
float half(float x)
{
    return x / 2;
}
#pragma omp end declare target

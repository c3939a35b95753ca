// NAS EP: scratch that is threadprivate, private counters that a `critical` adds up, sums of the whole region.
// expect: launches=2
#include "../check.h"

#define BLOCKS 200
#define NK 64
#define BINS 10

static double x[2 * NK], bins[BINS];
#pragma omp threadprivate(x)

static double random_number(double *seed, double factor)
{
    const double r23 = 1.1920928955078125e-07, t23 = 8388608.0, r46 = r23 * r23, t46 = t23 * t23;
    double t1 = r23 * factor, a1 = (int)t1, a2 = factor - t23 * a1;
    t1 = r23 * *seed;
    double x1 = (int)t1, x2 = *seed - t23 * x1;
    t1 = a1 * x2 + a2 * x1;
    double t2 = (int)(r23 * t1), z = t1 - t23 * t2, t3 = t23 * z + a2 * x2, t4 = (int)(r46 * t3);
    *seed = t3 - t46 * t4;
    return r46 * *seed;
}

static void pairs(double start, double *sx_result, double *sy_result)
{
    double sx = 0, sy = 0;
    int k;
    const double factor = 1220703125.0;
#pragma omp parallel copyin(x) default(shared)
    {
        double t1, t2, t3, t4, x1, x2, bins_here[BINS];
        int kk, i, ik, l;
        for (i = 0; i < BINS; i++)
            bins_here[i] = 0.0;
#pragma omp for reduction(+ : sx, sy) schedule(static)
        for (k = 1; k <= BLOCKS; k++) {
            kk = k - 1;
            t1 = 271828183.0;
            t2 = start;
            for (i = 1; i <= 100; i++) {
                ik = kk / 2;
                if (2 * ik != kk)
                    t3 = random_number(&t1, t2);
                if (ik == 0)
                    break;
                t3 = random_number(&t2, t2);
                kk = ik;
            }
            for (i = 0; i < 2 * NK; i++)
                x[i] = random_number(&t1, factor);
            for (i = 0; i < NK; i++) {
                x1 = 2.0 * x[2 * i] - 1.0;
                x2 = 2.0 * x[2 * i + 1] - 1.0;
                t1 = x1 * x1 + x2 * x2;
                if (t1 <= 1.0) {
                    t2 = sqrt(-2.0 * log(t1) / t1);
                    t3 = x1 * t2;
                    t4 = x2 * t2;
                    l = fmax(fabs(t3), fabs(t4));
                    bins_here[l] += 1.0;
                    sx = sx + t3;
                    sy = sy + t4;
                }
            }
        }
#pragma omp critical
        {
            for (i = 0; i <= BINS - 1; i++)
                bins[i] += bins_here[i];
        }
#pragma omp master
        bins[BINS - 1] += 1;
    }
    *sx_result = sx;
    *sy_result = sy;
}

// A value that an own variable has before the loop, and passes on through it.
static void accumulated(void)
{
    int count = 0;
#pragma omp parallel
    {
        int here = 100;
#pragma omp for nowait
        for (int i = 0; i < 37; i++)
            here += i;
#pragma omp critical
        count += here - 100;
    }
    check_int("accumulated", 0, count, 36 * 37 / 2);
}

int main(void)
{
    double an = 1220703125.0, sx, sy, all = 0;
    for (int i = 0; i < 7; i++)
        random_number(&an, an);
    pairs(an, &sx, &sy);
    for (int i = 0; i < BINS - 1; i++)
        all += bins[i];
    check_near("sx", 0, sx, -7.38889478998432, 1e-10);
    check_near("sy", 0, sy, 127.029908451525, 1e-10);
    check_near("pairs", 0, all, 9975, 0);
    check_near("master", 0, bins[BINS - 1], 1, 0);
    accumulated();
    return finish();
}

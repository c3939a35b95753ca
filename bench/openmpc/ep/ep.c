/* EP for a CPU, as NAS has it: a buffer of numbers and counters that are threadprivate, a region over batches, and a critical
 * section in which each thread adds what it counted. */
#define FRAME_MAIN
#include "ep.h"

static double x[2 * NK];
#pragma omp threadprivate(x)

static void vranlc(int count, double *seed, double a, double to[])
{
    int i;
    for (i = 0; i < count; i++)
        to[i] = randlc(seed, a);
}

void compute(void)
{
    double t1, an = A;
    int i;
    sx = 0.0;
    sy = 0.0;
    for (i = 0; i < NQ; i++)
        q[i] = 0.0;
    for (i = 0; i < MK + 1; i++)
        t1 = randlc(&an, an);
    (void)t1;
#pragma omp parallel
    {
        double t1, t2, t3, t4, x1, x2;
        int kk, i, ik, l, k;
        double qq[NQ];
        for (i = 0; i < NQ; i++)
            qq[i] = 0.0;
#pragma omp for reduction(+ : sx, sy)
        for (k = 1; k <= nn; k++) {
            kk = k - 1;
            t1 = S;
            t2 = an;
            for (i = 1; i <= 100; i++) {
                ik = kk / 2;
                if (2 * ik != kk)
                    t3 = randlc(&t1, t2);
                if (ik == 0)
                    break;
                t3 = randlc(&t2, t2);
                kk = ik;
            }
            vranlc(2 * NK, &t1, A, x);
            for (i = 0; i < NK; i++) {
                x1 = 2.0 * x[2 * i] - 1.0;
                x2 = 2.0 * x[2 * i + 1] - 1.0;
                t1 = x1 * x1 + x2 * x2;
                if (t1 <= 1.0) {
                    t2 = sqrt(-2.0 * log(t1) / t1);
                    t3 = x1 * t2;
                    t4 = x2 * t2;
                    l = fabs(t3) > fabs(t4) ? fabs(t3) : fabs(t4);
                    qq[l] += 1.0;
                    sx = sx + t3;
                    sy = sy + t4;
                }
            }
        }
#pragma omp critical
        {
            for (i = 0; i <= NQ - 1; i++)
                q[i] += qq[i];
        }
    }
}

/* Input and check of EP: Gaussian deviates by Marsaglia's polar method, counted by rings (after NAS EP). */
#include "../frame.h"

enum { MK = 12, NK = 1 << MK, NQ = 10 };
#define A 1220703125.0
#define S 271828183.0
#define R23 0x1p-23
#define R46 0x1p-46
#define T23 0x1p23
#define T46 0x1p46

static double q[NQ], sx, sy;
static int nn, m;

/* The next number of the linear congruential generator a x mod 2^46, in doubles. */
#ifdef __CUDACC__
__host__ __device__
#endif
static inline double randlc(double *x, double a)
{
    double t1, t2, t3, t4, a1, a2, x1, x2, z;
    t1 = R23 * a;
    a1 = (int)t1;
    a2 = a - T23 * a1;
    t1 = R23 * (*x);
    x1 = (int)t1;
    x2 = (*x) - T23 * x1;
    t1 = a1 * x2 + a2 * x1;
    t2 = (int)(R23 * t1);
    z = t1 - T23 * t2;
    t3 = T23 * z + a2 * x2;
    t4 = (int)(R46 * t3);
    (*x) = t3 - T46 * t4;
    return R46 * (*x);
}

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_ep", "", bench_arg(argc, argv, 2, 1), 1e-9};
    m = bench_arg(argc, argv, 1, 18);
    if (m <= MK)
        exit(2);
    nn = 1 << (m - MK);
    snprintf(facts.size, sizeof facts.size, "2^%d", m);
    return facts;
}

LINKAGE void input(void)
{
    sx = sy = 0;
    for (int i = 0; i < NQ; i++)
        q[i] = 0;
}

LINKAGE double digest(void) { return sx + sy + q[0]; }

/* A batch by one thread: as many deviates as fit, and the sums so far. */
static void serial_batch(int k, double *sums, double *rings)
{
    double t = S, an = A;
    for (int i = 0; i < MK + 1; i++)
        randlc(&an, an);
    for (int i = 0, kk = k; kk > 0 && i < 100; i++) {
        if (kk & 1)
            randlc(&t, an);
        kk >>= 1;
        randlc(&an, an);
    }
    for (int i = 0; i < NK; i++) {
        double a = 2.0 * randlc(&t, A) - 1.0, b = 2.0 * randlc(&t, A) - 1.0, r = a * a + b * b;
        if (r <= 1.0) {
            double scale = sqrt(-2.0 * log(r) / r), g = a * scale, h = b * scale;
            rings[(int)fmax(fabs(g), fabs(h))] += 1.0;
            sums[0] += g;
            sums[1] += h;
        }
    }
}

LINKAGE double check(void)
{
    double sums[2] = {0, 0}, rings[NQ] = {0}, error = 0;
    for (int k = 0; k < nn; k++)
        serial_batch(k, sums, rings);
    for (int i = 0; i < NQ; i++)
        error = bench_worst(error, q[i], rings[i], 1.0);
    error = bench_worst(error, sx, sums[0], 1.0);
    return bench_worst(error, sy, sums[1], 1.0);
}

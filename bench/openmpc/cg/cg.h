/* Input and check of CG: the conjugate gradient method on a sparse symmetric matrix (after NAS CG). */
#include "../frame.h"

enum { NA = 150000, NONZER = 15, NZ = NA * NONZER, CGITMAX = 25 };

static int rowstr[NA + 2], colidx[NZ + 1];
static double a[NZ + 1], x[NA + 2], z[NA + 2], p[NA + 2], q[NA + 2], r[NA + 2];
static int na, niter;
static double zeta, residue;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_cg", "", bench_arg(argc, argv, 3, 1), 1e-9};
    na = bench_arg(argc, argv, 1, 1400);
    niter = bench_arg(argc, argv, 2, 2);
    if (na > NA)
        exit(2);
    snprintf(facts.size, sizeof facts.size, "%dx%d", na, niter);
    return facts;
}

/* Bands at distances that grow, the same on both sides of the diagonal. */
LINKAGE void input(void)
{
    int i, k, at = 0;
    for (i = 0; i < na; i++) {
        rowstr[i] = at;
        for (k = -NONZER / 2; k <= NONZER / 2; k++) {
            long j = i + (long)k * k * k * (na / 400 + 1);
            if (j < 0 || j >= na)
                continue;
            colidx[at] = (int)j;
            a[at++] = k == 0 ? 20.0 + i % 3 : -1.0 / (1 + abs(k));
        }
    }
    rowstr[na] = at;
    for (i = 0; i < na; i++)
        x[i] = 1.0;
}

LINKAGE double digest(void)
{
    double sum = zeta;
    for (int i = 0; i < na; i++)
        sum += x[i];
    return sum;
}

LINKAGE double check(void)
{
    double error = 0, got_zeta = zeta, want = 0, *got = (double *)bench_alloc(na, sizeof *got);
    memcpy(got, x, na * sizeof *got);
    input();
    for (int it = 0; it < niter; it++) {
        double rho = 0, norm1 = 0, norm2 = 0;
        for (int j = 0; j < na; j++) {
            q[j] = z[j] = 0;
            p[j] = r[j] = x[j];
            rho += r[j] * r[j];
        }
        for (int step = 0; step < CGITMAX; step++) {
            double d = 0, rho0 = rho;
            for (int j = 0; j < na; j++) {
                double sum = 0;
                for (int k = rowstr[j]; k < rowstr[j + 1]; k++)
                    sum += a[k] * p[colidx[k]];
                q[j] = sum;
                d += p[j] * q[j];
            }
            double alpha = rho0 / d;
            rho = 0;
            for (int j = 0; j < na; j++) {
                z[j] += alpha * p[j];
                r[j] -= alpha * q[j];
                rho += r[j] * r[j];
            }
            double beta = rho / rho0;
            for (int j = 0; j < na; j++)
                p[j] = r[j] + beta * p[j];
        }
        for (int j = 0; j < na; j++) {
            norm1 += x[j] * z[j];
            norm2 += z[j] * z[j];
        }
        want = 10.0 + 1.0 / norm1;
        for (int j = 0; j < na; j++)
            x[j] = z[j] / sqrt(norm2);
    }
    for (int j = 0; j < na; j++)
        error = bench_worst(error, got[j], x[j], 1e-3);
    free(got);
    return bench_worst(error, got_zeta, want, 1.0);
}

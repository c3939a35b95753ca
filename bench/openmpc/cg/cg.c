/* CG for a CPU, as NAS has it: static arrays, a function with regions that a step loop calls, single and master inside. */
#define FRAME_MAIN
#include "cg.h"

static void conj_grad(int colidx[], int rowstr[], double x[], double z[], double a[], double p[], double q[], double r[],
                      double *rnorm)
{
    static double d, sum, rho, rho0, alpha, beta;
    int j, k, cgit;

    rho = 0.0;
#pragma omp parallel default(shared) private(j)
    {
#pragma omp for nowait
        for (j = 0; j < na; j++) {
            q[j] = 0.0;
            z[j] = 0.0;
            r[j] = x[j];
            p[j] = r[j];
        }
#pragma omp for reduction(+ : rho)
        for (j = 0; j < na; j++)
            rho = rho + r[j] * r[j];
    }

    for (cgit = 1; cgit <= CGITMAX; cgit++) {
        rho0 = rho;
        d = 0.0;
        rho = 0.0;
#pragma omp parallel default(shared) private(j, k, sum)
        {
#pragma omp for
            for (j = 0; j < na; j++) {
                sum = 0.0;
                for (k = rowstr[j]; k < rowstr[j + 1]; k++)
                    sum = sum + a[k] * p[colidx[k]];
                q[j] = sum;
            }
#pragma omp for reduction(+ : d)
            for (j = 0; j < na; j++)
                d = d + p[j] * q[j];
#pragma omp barrier
#pragma omp single
            alpha = rho0 / d;
#pragma omp for reduction(+ : rho)
            for (j = 0; j < na; j++) {
                z[j] = z[j] + alpha * p[j];
                r[j] = r[j] - alpha * q[j];
                rho = rho + r[j] * r[j];
            }
#pragma omp single
            beta = rho / rho0;
#pragma omp for
            for (j = 0; j < na; j++)
                p[j] = r[j] + beta * p[j];
        }
    }

    sum = 0.0;
#pragma omp parallel default(shared) private(j, k, d) shared(sum)
    {
#pragma omp for
        for (j = 0; j < na; j++) {
            d = 0.0;
            for (k = rowstr[j]; k < rowstr[j + 1]; k++)
                d = d + a[k] * z[colidx[k]];
            r[j] = d;
        }
#pragma omp for reduction(+ : sum)
        for (j = 0; j < na; j++) {
            d = x[j] - r[j];
            sum = sum + d * d;
        }
    }
    (*rnorm) = sqrt(sum);
}

void compute(void)
{
    int it, j;
    double norm_temp11, norm_temp12;
    for (it = 1; it <= niter; it++) {
        conj_grad(colidx, rowstr, x, z, a, p, q, r, &residue);
        norm_temp11 = 0.0;
        norm_temp12 = 0.0;
#pragma omp parallel for default(shared) private(j) reduction(+ : norm_temp11, norm_temp12)
        for (j = 0; j < na; j++) {
            norm_temp11 = norm_temp11 + x[j] * z[j];
            norm_temp12 = norm_temp12 + z[j] * z[j];
        }
        norm_temp12 = 1.0 / sqrt(norm_temp12);
        zeta = 10.0 + 1.0 / norm_temp11;
#pragma omp parallel for default(shared) private(j)
        for (j = 0; j < na; j++)
            x[j] = norm_temp12 * z[j];
    }
}

// NAS CG: loops, single and barriers in a function that a region calls, whose static variables the team shares; the same
// function called by several threads of the host, and by one.
// expect: launches>=163
#include "../check.h"
#include <omp.h>

#define NA 200
#define NZ (NA * 8)

static int row_begin[NA + 2], column[NZ + 1], length = NA;
static double a[NZ + 1], x[NA + 2], z[NA + 2], p[NA + 2], q[NA + 2], r[NA + 2], w[NA + 2];
static int threads;

static void solve(int column[], int row_begin[], double x[], double z[], double a[], double p[], double q[], double r[],
                  double w[], double *residual)
{
    static double d, sum, rho, rho0, alpha, beta;
    int j, k, step;
#pragma omp single nowait
    rho = 0.0;
#pragma omp for nowait
    for (j = 1; j <= length + 1; j++) {
        q[j] = 0.0;
        z[j] = 0.0;
        r[j] = x[j];
        p[j] = r[j];
        w[j] = 0.0;
    }
#pragma omp barrier
#pragma omp for reduction(+ : rho)
    for (j = 1; j <= length; j++)
        rho = rho + x[j] * x[j];
    for (step = 1; step <= 9; step++) {
#pragma omp single
        {
            rho0 = rho;
            d = 0.0;
            rho = 0.0;
        }
#pragma omp for private(sum, k)
        for (j = 1; j <= length; j++) {
            sum = 0.0;
            for (k = row_begin[j]; k < row_begin[j + 1]; k++)
                sum = sum + a[k] * p[column[k]];
            w[j] = sum;
        }
#pragma omp for
        for (j = 1; j <= length; j++) {
            q[j] = w[j];
            w[j] = 0.0;
        }
#pragma omp for reduction(+ : d)
        for (j = 1; j <= length; j++)
            d = d + p[j] * q[j];
#pragma omp single
        alpha = rho0 / d;
#pragma omp for reduction(+ : rho)
        for (j = 1; j <= length; j++) {
            z[j] = z[j] + alpha * p[j];
            r[j] = r[j] - alpha * q[j];
            rho = rho + r[j] * r[j];
        }
#pragma omp single
        beta = rho / rho0;
#pragma omp for
        for (j = 1; j <= length; j++)
            p[j] = r[j] + beta * p[j];
    }
#pragma omp single
    sum = 0.0;
#pragma omp for private(d, k)
    for (j = 1; j <= length; j++) {
        d = 0;
        for (k = row_begin[j]; k <= row_begin[j + 1] - 1; k++)
            d += a[k] * z[column[k]];
        r[j] = d;
    }
#pragma omp for reduction(+ : sum)
    for (j = 1; j <= length; j++) {
        double e = x[j] - r[j];
        sum = sum + e * e;
    }
#pragma omp single
    (*residual) = sqrt(sum);
}

static void power_method(void)
{
    int i, j, step;
    double zeta = 0, residual = 1, product = 0, norm = 0;
#pragma omp parallel private(step, i, j)
    {
#pragma omp for nowait
        for (i = 1; i <= NA + 1; i++)
            x[i] = 1.0;
#pragma omp barrier
        for (step = 1; step <= 3; step++) {
            solve(column, row_begin, x, z, a, p, q, r, w, &residual);
#pragma omp single
            {
                product = 0.0;
                norm = 0.0;
            }
#pragma omp for reduction(+ : product, norm)
            for (j = 1; j <= NA; j++) {
                product = product + x[j] * z[j];
                norm = norm + z[j] * z[j];
            }
#pragma omp single
            {
                norm = 1.0 / sqrt(norm);
                zeta = 10 + 1.0 / product;
            }
#pragma omp for
            for (j = 1; j <= NA; j++)
                x[j] = norm * z[j];
        }
    }
    check_near("zeta", 0, zeta, 14.4270415462506, 1e-7);
    check_true("residual", residual < 1e-3);
}

static void by_threads_of_the_host(void)
{
    double residual = 1;
#pragma omp parallel
    {
        // The numbers keep this region on the host.
        if (omp_get_thread_num() == 0)
            threads = omp_get_num_threads();
        solve(column, row_begin, x, z, a, p, q, r, w, &residual);
    }
    check_true("residual of threads", residual < 1e-3 && threads > 0);
    double want = z[7];
    // Outside of all regions one thread shares the loops with nobody.
    solve(column, row_begin, x, z, a, p, q, r, w, &residual);
    check_near("alone", 7, z[7], want, 1e-10);
}

int main(void)
{
    int begin = 1;
    for (int j = 1; j <= NA; j++) {
        row_begin[j] = begin;
        for (int k = 0; k < 5; k++) {
            column[begin] = 1 + (j * 13 + k * 29) % NA;
            a[begin++] = 0.01 / (1 + k);
        }
        column[begin] = j;
        a[begin++] = 4 + j % 3;
    }
    row_begin[NA + 1] = begin;
    power_method();
    by_threads_of_the_host();
    return finish();
}

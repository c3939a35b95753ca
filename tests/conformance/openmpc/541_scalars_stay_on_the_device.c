/* What launches add up, and scalars computed of it for further launches, stay on the device while a loop of the host goes on. What the
 * host looks at in each step it still gets. */
// expect: launches=139
#include "../check.h"
#include <math.h>

enum { N = 1000, STEPS = 8 };
static double p[N], q[N], r[N], z[N];
static float f[N];

static void input(void)
{
    int i;
    for (i = 0; i < N; i++) {
        p[i] = 1.0 + i % 7;
        q[i] = 0.5 + i % 5;
        r[i] = 2.0 - i % 3;
        z[i] = 0.25 * (i % 11);
        f[i] = 1.0f + i % 4;
    }
}

/* The regions stand in the loop, and assignments in both. 5 launches a step. */
static double outside(int steps)
{
    static double d, rho, rho0, alpha, beta;
    int it, j;
    rho = 3.0;
    for (it = 0; it < steps; it++) {
        rho0 = rho;
        d = 0.0;
        rho = 0.0;
#pragma omp parallel private(j)
        {
#pragma omp for
            for (j = 0; j < N; j++)
                q[j] = 0.5 * p[j] + 0.25 * q[j];
#pragma omp for reduction(+ : d)
            for (j = 0; j < N; j++)
                d = d + p[j] * q[j];
#pragma omp barrier
#pragma omp single
            alpha = rho0 / d;
#pragma omp for reduction(+ : rho)
            for (j = 0; j < N; j++) {
                z[j] = z[j] + alpha * p[j];
                r[j] = r[j] - alpha * q[j];
                rho = rho + r[j] * r[j];
            }
#pragma omp single
            beta = rho / rho0;
#pragma omp for
            for (j = 0; j < N; j++)
                p[j] = r[j] + beta * p[j];
        }
    }
    return rho + beta;
}

/* The loop stands in the region, whose threads have scalars of their own; an assignment under a condition, and a function. */
static double inside(int steps, double scale)
{
    double d = 0, rho = 1, alpha = 0;
#pragma omp parallel shared(d, rho) firstprivate(alpha)
    {
        int it, j;
        for (it = 0; it < steps; it++) {
#pragma omp barrier
#pragma omp single
            {
                d = 0.0;
                rho *= 0.5;
            }
#pragma omp for reduction(+ : d)
            for (j = 0; j < N; j++)
                d += p[j] * r[j];
            alpha = sqrt(fabs(d)) / (1.0 + scale * rho);
            if (it % 2)
                alpha = alpha + 0.125;
#pragma omp for
            for (j = 0; j < N; j++)
                r[j] = 0.5 * r[j] + alpha / N;
        }
    }
    return d + rho;
}

/* The host needs the sum to go on. */
static int until(double least)
{
    double error = 1;
    int j, steps = 0;
    while (error > least && steps < 50) {
        error = 0;
#pragma omp parallel for reduction(+ : error)
        for (j = 0; j < N; j++) {
            z[j] *= 0.5;
            error += z[j] * z[j];
        }
        steps++;
    }
    return steps;
}

/* One launch has a sum that the host needs, and one that it does not; then one in float, and the loop is left. */
static double both(int steps)
{
    double seen = 0, one, two = 0;
    float sum = 0;
    int it, j;
    for (it = 0; it < steps; it++) {
        one = two = 0;
#pragma omp parallel for reduction(+ : one, two)
        for (j = 0; j < N; j++) {
            one += p[j];
            two += q[j];
        }
        seen += one;
#pragma omp parallel for
        for (j = 0; j < N; j++)
            q[j] = q[j] / two;
    }
    for (it = 0; it < 1000; it++) {
        sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (j = 0; j < N; j++)
            sum += f[j];
        sum = sum / N;
#pragma omp parallel for
        for (j = 0; j < N; j++)
            f[j] = 0.5f * f[j] + sum;
        if (it == steps)
            break;
    }
    return seen + two + sum;
}

/* The same by the serial program's steps. */
static double outside_here(int steps)
{
    static double d, rho, rho0, alpha, beta;
    rho = 3.0;
    for (int it = 0; it < steps; it++) {
        rho0 = rho;
        d = rho = 0;
        for (int j = 0; j < N; j++)
            q[j] = 0.5 * p[j] + 0.25 * q[j];
        for (int j = 0; j < N; j++)
            d += p[j] * q[j];
        alpha = rho0 / d;
        for (int j = 0; j < N; j++) {
            z[j] += alpha * p[j];
            r[j] -= alpha * q[j];
            rho += r[j] * r[j];
        }
        beta = rho / rho0;
        for (int j = 0; j < N; j++)
            p[j] = r[j] + beta * p[j];
    }
    return rho + beta;
}

static double inside_here(int steps, double scale)
{
    double d = 0, rho = 1;
    for (int it = 0; it < steps; it++) {
        d = 0;
        rho *= 0.5;
        for (int j = 0; j < N; j++)
            d += p[j] * r[j];
        double alpha = sqrt(fabs(d)) / (1.0 + scale * rho) + (it % 2 ? 0.125 : 0);
        for (int j = 0; j < N; j++)
            r[j] = 0.5 * r[j] + alpha / N;
    }
    return d + rho;
}

static double both_here(int steps)
{
    double seen = 0, two = 0;
    float sum = 0;
    for (int it = 0; it < steps; it++) {
        two = 0;
        for (int j = 0; j < N; j++) {
            seen += p[j];
            two += q[j];
        }
        for (int j = 0; j < N; j++)
            q[j] = q[j] / two;
    }
    for (int it = 0; it <= steps; it++) {
        sum = 0;
        for (int j = 0; j < N; j++)
            sum += f[j];
        sum = sum / N;
        for (int j = 0; j < N; j++)
            f[j] = 0.5f * f[j] + sum;
    }
    return seen + two + sum;
}

int main(void)
{
    double got, sums[4] = {0}, want[4] = {0};
    int j, steps;

    input();
    got = outside(STEPS) + outside(0);
    for (j = 0; j < N; j++)
        sums[0] += p[j] + z[j];
    sums[1] = inside(STEPS, 0.75) + inside(0, 1);
    for (j = 0; j < N; j++)
        sums[2] += r[j];
    steps = until(1e-3);
    sums[3] = both(STEPS);

    input();
    double again = outside_here(STEPS) + outside_here(0);
    for (j = 0; j < N; j++)
        want[0] += p[j] + z[j];
    want[1] = inside_here(STEPS, 0.75) + inside_here(0, 1);
    for (j = 0; j < N; j++)
        want[2] += r[j];
    want[3] = both_here(STEPS);
    check_near("outside", 0, got, again, 1e-9);
    for (j = 0; j < 4; j++)
        check_near("sum", j, sums[j], want[j], j == 3 ? 1e-5 : 1e-9);
    check_true("until", steps > 3 && steps < 50);
    return finish();
}

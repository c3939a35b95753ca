/* Neighbouring loops that threads share are one kernel where their iterations exchange nothing, and stay apart where they do. */
// expect: launches=27
// expect-remark: The shared loop is joined with those of lines 37
// expect-remark: The shared loop is joined with those of lines 57
// expect-remark: Each iteration computes `alpha`
#include "../check.h"
#include <math.h>
#include <stdlib.h>

enum { N = 1003, COLUMNS = 5 };
static double p[N], q[N], r[N], z[N], t[N + 1], m[N][COLUMNS];
static int at[N], flag;

static void input(void)
{
    for (int i = 0; i < N; i++) {
        p[i] = 1.0 + i % 7;
        q[i] = 0.5 + i % 5;
        r[i] = 2.0 - i % 3;
        z[i] = 0.25 * (i % 11);
        t[i] = i % 13;
        at[i] = (i * 37) % N;
        for (int k = 0; k < COLUMNS; k++)
            m[i][k] = i % 3 + k;
    }
}

/* The element of the same iteration, a scalar of the thread's own, a sum. */
static double together(void)
{
    double sum = 0.0, own;
    int i;
#pragma omp parallel private(i, own)
    {
#pragma omp for nowait
        for (i = 0; i < N; i++) { own = p[i] * 2.0; q[i] = own + 1.0; }
#pragma omp for reduction(+ : sum)
        for (i = 0; i < N; i++) { own = q[i] - p[i]; sum += own; }
    }
    return sum;
}

/* A row's product and its use, two launches for three loops: the last one needs other iterations' elements. */
static double rows(int n)
{
    double sum = 0.0;
    int i, k;
#pragma omp parallel private(i, k) reduction(+ : sum)
    {
#pragma omp for
        for (i = 0; i < n; i++) {
            double s = 0.0;
            for (k = 0; k < COLUMNS; k++)
                s += m[i][k] * p[k];
            z[i] = s;
        }
#pragma omp for
        for (i = 0; i < n; i++)
            r[i] = z[i] * 0.5;
#pragma omp for
        for (i = 0; i < n; i++)
            sum += r[at[i]];
    }
    return sum;
}

/* A neighbour's element, any element, a sum that is read, other headers, a column: nine loops in seven launches. */
static double apart(void)
{
    double sum = 0.0, last = 3.0;
    int i;
#pragma omp parallel private(i)
    {
#pragma omp for
        for (i = 0; i < N; i++)
            t[i] = p[i] + 1.0;
#pragma omp for
        for (i = 0; i < N; i++)
            q[i] = t[i + 1];
#pragma omp for
        for (i = 0; i < N; i++)
            p[at[i]] = 0.5 * i;
#pragma omp for
        for (i = 0; i < N; i++)
            z[i] = p[i];
#pragma omp for reduction(+ : sum)
        for (i = 0; i < N; i++)
            sum += z[i];
#pragma omp for
        for (i = 0; i < N; i++)
            r[i] = z[i] / sum;
#pragma omp for
        for (i = 1; i < N; i++)
            z[i] = r[i] * sum;
#pragma omp for
        for (i = 0; i < COLUMNS; i++)
            m[0][i] = z[i];
#pragma omp for
        for (i = 0; i < COLUMNS; i++)
            m[i][0] += 1.0;
    }
    return sum + last;
}

static void through_pointers(double *a, double *b, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = b[i] * 2.0;
}

/* Called with arrays that overlap: apart. */
static void overlapping(double *a, double *b, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = b[i] * 2.0;
}

/* The bound of the second loop is what the first one leaves. */
static int bounds(int n)
{
    int i, end = n;
    static int ends[8];
#pragma omp parallel private(i)
    {
#pragma omp for
        for (i = 0; i < n; i++)
            if (i == 0)
                flag = 5;
#pragma omp for
        for (i = 0; i < flag; i++)
            at[i] = -1;
    }
    ends[0] = end;
    return ends[0];
}

/* alpha and beta are computed in the loops that read them: 3 launches a step, and none for them. */
static double scalars(int steps)
{
    static double d, rho, rho0, alpha, beta;
    int it, i;
    rho = 3.0;
    for (it = 0; it < steps; it++) {
        rho0 = rho;
        d = 0.0;
        rho = 0.0;
#pragma omp parallel private(i)
        {
#pragma omp for
            for (i = 0; i < N; i++)
                q[i] = 0.5 * p[i] + 0.25 * q[i];
#pragma omp for reduction(+ : d)
            for (i = 0; i < N; i++)
                d = d + p[i] * q[i];
#pragma omp barrier
#pragma omp single
            alpha = rho0 / d;
#pragma omp for reduction(+ : rho)
            for (i = 0; i < N; i++) {
                z[i] = z[i] + alpha * p[i];
                r[i] = r[i] - alpha * q[i];
                rho = rho + r[i] * r[i];
            }
#pragma omp single
            beta = rho / rho0;
#pragma omp for
            for (i = 0; i < N; i++)
                p[i] = r[i] + beta * p[i];
        }
    }
    return rho;
}

static double total(const double *a, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += a[i] * (1 + i % 3);
    return s;
}

int main()
{
    double want[3], sum = 0.0, *heap = (double *)malloc(2 * N * sizeof *heap);
    input();
    check_near("together", 0, together(), total(p, 0) + ({ double s = 0; for (int i = 0; i < N; i++) s += p[i] + 1.0; s; }), 1e-12);
    for (int i = 0; i < N; i++)
        check_near("q", i, q[i], 2.0 * p[i] + 1.0, 0.0);
    want[0] = 0.0;
    for (int i = 0; i < N; i++) {
        double s = 0.0;
        for (int k = 0; k < COLUMNS; k++)
            s += m[at[i]][k] * p[k];
        want[0] += 0.5 * s;
    }
    check_near("rows", 0, rows(N), want[0], 1e-12);
    check_near("no rows", 0, rows(0), 0.0, 0.0);
    input();
    want[0] = 0.0;
    for (int i = 0; i < N; i++)
        want[0] += 0.5 * i;
    check_near("apart", 0, apart(), want[0] + 3.0, 1e-12);
    for (int i = 0; i < N; i++)
        check_near("next", i, q[i], i + 1 < N ? 1.0 + (i + 1) % 7 + 1.0 : 0.0, 0.0);
    for (int i = 1; i < N; i++)
        check_near("z", at[i], z[at[i]], 0.5 * i, 1e-12);
    check_near("m", 0, m[0][0], z[0] + 1.0, 0.0);
    check_near("m", 3, m[0][3], z[3], 0.0);
    for (int i = 0; i < 2 * N; i++)
        heap[i] = i % 4;
    through_pointers(p, q, N);
    overlapping(heap, heap + 1, N);
    double h[2 * N];
    for (int i = 0; i < 2 * N; i++)
        h[i] = i % 4;
    for (int i = 0; i < N; i++)
        h[i] += 1.0;
    for (int i = 1; i <= N; i++)
        h[i] *= 2.0;
    for (int i = 0; i < 2 * N; i++)
        check_near("overlapping", i, heap[i], h[i], 0.0);
    bounds(N);
    check_int("bound", 0, at[4], -1);
    check_int("bound", 1, at[5], (5 * 37) % N);
    input();
    sum = scalars(3);
    input();
    {
        double d, rho = 3.0, rho0, alpha, beta;
        for (int it = 0; it < 3; it++) {
            rho0 = rho, d = 0.0, rho = 0.0;
            for (int i = 0; i < N; i++) {
                q[i] = 0.5 * p[i] + 0.25 * q[i];
                d += p[i] * q[i];
            }
            alpha = rho0 / d;
            for (int i = 0; i < N; i++) {
                z[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                rho += r[i] * r[i];
            }
            beta = rho / rho0;
            for (int i = 0; i < N; i++)
                p[i] = r[i] + beta * p[i];
        }
        check_near("scalars", 0, sum, rho, 1e-10);
    }
    free(heap);
    return finish();
}

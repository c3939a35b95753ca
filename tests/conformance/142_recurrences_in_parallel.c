// Loops without a clause in parallel constructs whose iterations need what earlier ones left: in scalars, in scalars of the
// file, in elements under a condition. They run in order, or as reductions, with warnings.
// expect: launches=9
#include "check.h"

enum { N = 97, M = 40 };
static double x[N], y[N], z[N], C[N][M];
static double total;
static int found;

static void row_by_row(int n, int m)
{
    // A scalar of the outer loop's body.
#pragma acc parallel loop copyin(x) copyout(y, z)
    for (int i = 0; i < n; i++) {
        double sum = 0, v = i;
#pragma acc loop
        for (int j = 0; j < m; j++) {
            sum += x[j];
            v = v * 0.5 + j;
        }
        y[i] = sum;
        z[i] = v;
    }
    for (int i = 0; i < n; i++) {
        double sum = 0, v = i;
        for (int j = 0; j < m; j++) {
            sum += x[j];
            v = v * 0.5 + j;
        }
        check_near("sum", i, y[i], sum, 1e-12);
        check_near("v", i, z[i], v, 1e-12);
    }
    // An element, under a condition, beside a sum.
#pragma acc parallel loop copyin(x) copyout(y, C)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        C[i][0] = 0;
#pragma acc loop
        for (int j = 0; j < m; j++) {
            sum += x[j];
            if (x[j] > 1)
                C[i][0] = 0.5 * C[i][0] + j;
        }
        y[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        double e = 0;
        for (int j = 0; j < m; j++)
            if (x[j] > 1)
                e = 0.5 * e + j;
        check_near("e", i, C[i][0], e, 1e-12);
    }
    // The place of the largest.
#pragma acc parallel loop copyin(x) copyout(y, z)
    for (int i = 0; i < n; i++) {
        double best = -1;
        int at = -1;
#pragma acc loop
        for (int j = 0; j < m; j++)
            if (x[(i + j) % N] > best) {
                best = x[(i + j) % N];
                at = j;
            }
        y[i] = best;
        z[i] = at;
    }
    for (int i = 0; i < n; i++) {
        double best = -1;
        int at = -1;
        for (int j = 0; j < m; j++)
            if (x[(i + j) % N] > best)
                best = x[(i + j) % N], at = j;
        check_near("best", i, y[i], best, 0);
        check_int("at", i, (int)z[i], at);
    }
}

static void outermost(int n)
{
    double v = 1;
    int k = 0;
#pragma acc parallel loop copyin(x) copyout(y)
    for (int i = 0; i < n; i++) {
        v = v * 0.5 + x[i];
        y[i] = v;
    }
    double w = 1;
    for (int i = 0; i < n; i++) {
        w = w * 0.5 + x[i];
        check_near("outermost", i, y[i], w, 1e-12);
    }
#pragma acc parallel loop copyin(x) copy(z)
    for (int i = 0; i < n; i++)
        if (x[i] > 1)
            z[k++] = x[i];
    int l = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 1)
            check_near("packed", l, z[l], x[i], 0), l++;
    // Conditions alike: this one has nothing to do with other iterations.
    double t;
#pragma acc parallel loop copyin(x) copy(z)
    for (int i = 0; i < n; i++) {
        if (x[i] > 0) {
            t = x[i];
            t = t * 2;
        }
        if (x[i] > 0)
            z[i] = t;
    }
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            check_near("own", i, z[i], x[i] * 2, 0);
}

static void of_the_file(int n)
{
    total = 1;
#pragma acc parallel loop copyin(x)
    for (int i = 0; i < n; i++)
        total += x[i];
    double sum = 1;
    for (int i = 0; i < n; i++)
        sum += x[i];
    check_near("total", 0, total, sum, 1e-12);
    // Each iteration's own.
#pragma acc parallel loop copyin(x) copyout(y)
    for (int i = 0; i < n; i++) {
        total = x[i];
        y[i] = total * 2;
    }
    for (int i = 0; i < n; i++)
        check_near("own total", i, y[i], x[i] * 2, 0);
    check_near("kept", 0, total, sum, 1e-12);
    // With its place on the device it is one for all.
#pragma acc data copy(found)
#pragma acc parallel loop copyin(x)
    for (int i = 0; i < n; i++)
        if (x[i] == 7)
            found = i;
    check_int("found", 0, found, 90);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i == 90 ? 7 : i % 5 - 1;
    row_by_row(N, M);
    outermost(N);
    of_the_file(N);
    return finish();
}

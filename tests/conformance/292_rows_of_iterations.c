// Lanes share the loops inside a parallel one that go through its iterations' rows, though no directive names them: sums, extrema, what
// one loop computes for the next, in a register or in memory, rows that some iterations skip, rows that functions go through, loops that
// some iterations leave out. The launch knows how long rows are, and chooses how many lanes they have.
// expect: launches=64
#include "check.h"

enum { MOST = 1500, ROWS = 37, CENTRES = 5 };
static double a[ROWS * MOST], b[ROWS * MOST], x[MOST], y[ROWS], norm[ROWS];
static float centre[CENTRES * MOST], point[ROWS * MOST];
static int nearest[ROWS], skip[ROWS];
static long large[ROWS];

static void product(int n, int m, const double *a, const double *x, double *y)
{
#pragma acc parallel loop copyin(a[0 : n * m], x[0 : m]) copy(y[0 : n])
    for (int i = 0; i < n; i++) {
        double s = 1.0;
        for (int j = 0; j < m; j++)
            s += a[i * m + j] * x[j];
        y[i] = s;
    }
}

/* The second loop reads what one lane has stored, the third changes what the second has written. */
static void scaled(int n, int m, const double *a, double *b, double *norm)
{
#pragma acc parallel loop copyin(a[0 : n * m]) copy(b[0 : n * m]) copyout(norm[0 : n])
    for (int i = 0; i < n; i++) {
        double most = -1.0, sum = 0.0;
        for (int j = 0; j < m; j++)
            most = a[i * m + j] > most ? a[i * m + j] : most;
        norm[i] = most + 1;
        for (int j = 0; j < m; j++) {
            b[i * m + j] = a[i * m + j] / norm[i];
            sum += b[i * m + j];
        }
        norm[i] = sum;
        for (int j = 0; j < m; j++)
            b[i * m + j] -= norm[i] / (j + 1);
    }
}

static float distance(const float *p, const float *c, int m)
{
    float d = 0;
    for (int j = 0; j < m; j++)
        d += (p[j] - c[j]) * (p[j] - c[j]);
    return d;
}

static int closest(const float *p, const float *centres, int m)
{
    int best = 0;
    float least = 1e30f;
    for (int k = 0; k < CENTRES; k++) {
        float d = distance(p, centres + k * m, m);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    return best;
}

static int assigned(int n, int m)
{
    int changed = 0;
#pragma acc parallel loop reduction(+ : changed) copyin(point, centre) copy(nearest)
    for (int i = 0; i < n; i++) {
        int best = closest(&point[i * m], centre, m);
        if (nearest[i] != best)
            changed++;
        nearest[i] = best;
    }
    return changed;
}

/* Some rows are left out, others are added up or written, as their elements say. */
static void some(int n, int m)
{
#pragma acc parallel loop copyin(a, skip) copy(b, y) copyout(large)
    for (int i = 0; i < n; i++) {
        large[i] = -1;
        if (skip[i])
            continue;
        long count = 0;
        for (int j = 0; j < m; j++)
            count += a[i * m + j] > 40;
        large[i] = count;
        if (count > 0) {
            double s = 0;
            for (int j = 0; j < m; j++)
                s += a[i * m + j] - count;
            y[i] += s;
        } else {
            for (int j = 0; j < m; j++)
                b[i * m + j] = i;
        }
    }
}

static void check_with(int n, int m)
{
    static double expected[ROWS * MOST];
    for (int i = 0; i < n * m; i++) {
        a[i] = (i * 7919L % 101) * 0.5;
        b[i] = expected[i] = i % 13;
        point[i] = (float)(i * 31L % 97);
    }
    for (int j = 0; j < m; j++)
        x[j] = j % 7 - 3;
    for (int k = 0; k < CENTRES * m; k++)
        centre[k] = (float)(k * 53L % 89);
    product(n, m, a, x, y);
    for (int i = 0; i < n; i++) {
        double s = 1;
        for (int j = 0; j < m; j++)
            s += a[i * m + j] * x[j];
        check_near("y", i, y[i], s, 1e-9);
    }
    scaled(n, m, a, b, norm);
    for (int i = 0; i < n; i++) {
        double most = -1, sum = 0;
        for (int j = 0; j < m; j++)
            most = a[i * m + j] > most ? a[i * m + j] : most;
        for (int j = 0; j < m; j++)
            sum += expected[i * m + j] = a[i * m + j] / (most + 1);
        check_near("norm", i, norm[i], sum, 1e-9);
        for (int j = 0; j < m; j++)
            check_near("b", i, b[i * m + j], expected[i * m + j] - sum / (j + 1), 1e-9);
    }
    int changed = 0;
    for (int i = 0; i < n; i++) {
        int best = closest(&point[i * m], centre, m);
        nearest[i] = i % 2 ? best : -1;
        changed += nearest[i] != best;
        skip[i] = i % 4 == 1;
    }
    check_int("changed", n, assigned(n, m), changed);
    for (int i = 0; i < n; i++) {
        check_int("nearest", i, nearest[i], closest(&point[i * m], centre, m));
        y[i] = i;
    }
    for (int i = 0; i < n * m; i++)
        b[i] = -5;
    some(n, m);
    for (int i = 0; i < n; i++) {
        long count = 0;
        double s = 0;
        for (int j = 0; j < m; j++)
            count += a[i * m + j] > 40;
        for (int j = 0; j < m; j++)
            s += a[i * m + j] - count;
        check_int("large", i, large[i], skip[i] ? -1 : count);
        check_near("y", i, y[i], skip[i] || count == 0 ? i : i + s, 1e-9);
        for (int j = 0; j < m; j++)
            check_near("b", i, b[i * m + j], skip[i] || count > 0 ? -5 : i, 0);
    }
}

int main(void)
{
    const int lengths[] = {0, 1, 5, 33, 64, 200, 1000, MOST};
    for (int k = 0; k < 8; k++) {
        check_with(ROWS, lengths[k]);
        check_with(3, lengths[k]);
    }
    return finish();
}

// Loops that look for the smallest or largest value of a row with its place, and have no directive: lanes share them. Of equal values
// the first or the last one counts, as the comparison says, whichever way the loop runs; values that are no numbers are never taken, and
// zeros of both signs are equal.
// expect-remark: Generating implicit reduction\(min:best\) with its place: at
// expect-remark: Generating implicit reduction\(max:most\) with its place: at
// expect: launches=24
#include "check.h"
#include <math.h>

#define ROWS 37

static int m;
static double a[ROWS * 1000], best_of[ROWS];
static float f[ROWS * 1000];
static int whole[ROWS * 1000], at_of[ROWS], row_of[ROWS];
static signed char small[ROWS * 1000];

#define SERIAL(START, RELATION, VALUE, FROM, COMPARE, TO, STEP, WHAT)                                                      \
    for (int i = 0; i < ROWS; i++) {                                                                                       \
        double best = START;                                                                                               \
        int at = -7;                                                                                                       \
        for (int j = FROM; j COMPARE TO; STEP)                                                                             \
            if ((VALUE)RELATION best) {                                                                                    \
                best = VALUE;                                                                                              \
                at = j;                                                                                                    \
            }                                                                                                              \
        if (isnan(best))                                                                                                   \
            check_true(WHAT, isnan(best_of[i]));                                                                           \
        else                                                                                                               \
            check_near(WHAT, i, best_of[i], best, 0);                                                                      \
        check_true(WHAT, signbit(best_of[i]) == signbit(best));                                                            \
        check_int(WHAT, i, at_of[i], at);                                                                                  \
    }

static void smallest(const double *restrict v, double start)
{
#pragma acc parallel loop copyin(v[:ROWS * m]) copyout(best_of, at_of)
    for (int i = 0; i < ROWS; i++) {
        double best = start;
        int at = -7;
        for (int j = 0; j < m; j++)
            if (v[i * m + j] < best) {
                best = v[i * m + j];
                at = j;
            }
        best_of[i] = best;
        at_of[i] = at;
    }
}

static void last_smallest(const double *restrict v, double start)
{
#pragma acc parallel loop copyin(v[:ROWS * m]) copyout(best_of, at_of)
    for (int i = 0; i < ROWS; i++) {
        double best = start;
        int at = -7;
        for (int j = 0; j < m; j++) {
            double d = v[i * m + j];
            if (best >= d)
                best = d, at = j;
        }
        best_of[i] = best;
        at_of[i] = at;
    }
}

static void largest_downwards(const float *restrict v)
{
#pragma acc parallel loop copyin(v[:ROWS * m]) copyout(best_of, at_of)
    for (int i = 0; i < ROWS; i++) {
        float most = -1e30f;
        int at = -7;
        for (int j = m - 1; j >= 0; j--)
            if (most < v[i * m + j]) {
                at = j;
                most = v[i * m + j];
            }
        best_of[i] = most;
        at_of[i] = at;
    }
}

static void last_largest_of_bytes(const signed char *restrict v)
{
#pragma acc parallel loop copyin(v[:ROWS * m]) copyout(best_of, at_of)
    for (int i = 0; i < ROWS; i++) {
        signed char most = -128;
        int at = -7;
        for (int j = 0; j < m; j++)
            if (v[i * m + j] >= most) {
                most = v[i * m + j];
                at = j;
            }
        best_of[i] = most;
        at_of[i] = at;
    }
}

// What counts is a distance, in part of the row, and a row and a column are noted.
static void nearest(const int *restrict v, int width)
{
#pragma acc parallel loop copyin(v[:ROWS * m]) copyout(best_of, at_of, row_of)
    for (int i = 0; i < ROWS; i++) {
        int best = 1 << 30, row = -1, column = -1;
        for (int r = 0; r < m / width; r++)
            for (int c = 0; c < width; c++) {
                int d = v[i * m + r * width + c] - 40;
                if (d < 0)
                    d = -d;
                if (c % 3 != 1 && d < best) {
                    best = d;
                    row = r;
                    column = c;
                }
            }
        best_of[i] = best;
        row_of[i] = row;
        at_of[i] = column;
    }
}

// The sum of a row goes with the search; the search goes on from what another one found.
static void twice(const double *restrict v, double *restrict sums)
{
#pragma acc parallel loop copyin(v[:ROWS * m]) copyout(best_of, at_of, sums[:ROWS])
    for (int i = 0; i < ROWS; i++) {
        double best = 1e30, sum = 0;
        int at = -7;
        for (int j = 0; j < m / 2; j++) {
            sum += v[i * m + j];
            if (v[i * m + j] < best) {
                best = v[i * m + j];
                at = j;
            }
        }
        for (int j = m / 2; j < m; j++)
            if (v[i * m + j] < best) {
                best = v[i * m + j];
                at = j;
            }
        best_of[i] = best;
        at_of[i] = at;
        sums[i] = sum;
    }
}

int main(void)
{
    static double sums[ROWS];
    for (m = 1; m <= 1000; m = m * 31 + 1) {
        for (int k = 0; k < ROWS * m; k++) {
            a[k] = (k * 7919 % 101 - 50) * 0.5;
            f[k] = (k * 7919 % 103 - 51) * 0.25f;
            whole[k] = k * 7919 % 211;
            small[k] = k * 7919 % 97 - 48;
        }
        smallest(a, 1e300);
        SERIAL(1e300, <, a[i * m + j], 0, <, m, j++, "smallest");
        // Nothing is that small.
        smallest(a, -1000);
        SERIAL(-1000, <, a[i * m + j], 0, <, m, j++, "none");
        // The first value is one of them.
        last_smallest(a, -25);
        SERIAL(-25, <=, a[i * m + j], 0, <, m, j++, "last smallest");
        largest_downwards(f);
        SERIAL(-1e30f, >, f[i * m + j], m - 1, >=, 0, j--, "largest, downwards");
        last_largest_of_bytes(small);
        SERIAL(-128, >=, small[i * m + j], 0, <, m, j++, "last largest");

        int width = m > 20 ? 20 : 1;
        nearest(whole, width);
        for (int i = 0; i < ROWS; i++) {
            int best = 1 << 30, row = -1, column = -1;
            for (int k = 0; k < m / width * width; k++) {
                int d = whole[i * m + k] > 40 ? whole[i * m + k] - 40 : 40 - whole[i * m + k];
                if (k % width % 3 != 1 && d < best)
                    best = d, row = k / width, column = k % width;
            }
            check_near("nearest", i, best_of[i], best, 0);
            check_int("nearest, row", i, row_of[i], row);
            check_int("nearest, column", i, at_of[i], column);
        }
        twice(a, sums);
        SERIAL(1e30, <, a[i * m + j], 0, <, m, j++, "twice");
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int j = 0; j < m / 2; j++)
                sum += a[i * m + j];
            check_near("sum", i, sums[i], sum, 1e-12);
        }
    }

    m = 500;
    for (int k = 0; k < ROWS * m; k++)
        a[k] = k % 3 == 0 ? NAN : k % 5 == 0 ? 0.0 : k % 5 == 1 ? -0.0 : k % 7;
    smallest(a, INFINITY);
    SERIAL(INFINITY, <, a[i * m + j], 0, <, m, j++, "not numbers");
    last_smallest(a, 0.0);
    SERIAL(0.0, <=, a[i * m + j], 0, <, m, j++, "last zero");
    smallest(a, NAN);
    SERIAL(NAN, <, a[i * m + j], 0, <, m, j++, "compared with what is no number");
    return finish();
}

// fcw: windows whose size only the launch knows, in one to three dimensions, of every type, several in a list.
// expect: launches=30
#include <stdlib.h>
#include "check.h"

static int radius = 3; // of a variable that other files could change
struct reach {
    int before, after;
};
struct body {
    double x;
    char c;
};

// Neighbours on both sides, as many as the caller says.
static void smooth(int n, int r, const float *a, float *b)
{
#pragma acc parallel loop gang vector(64) present(a[:n], b[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:r:r])
        {
            float sum = 0;
            for (int k = -r; k <= r; k++)
                if (i + k >= 0 && i + k < n)
                    sum += a[i + k];
            b[i] = sum;
        }
    }
}

// Two arrays of different types, and a constant window beside them; a reduction over the launch.
static double both(int n, long s, const double *a, const char *c, const float *f)
{
    double sum = 0;
#pragma acc parallel loop gang vector(96) reduction(+ : sum) present(a[:n], c[:n], f[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(c[i:s:0], a[i:0:2 * s - 1], f[i:1:0])
        {
            double x = i >= s ? c[i - s] : 0;
            x += i + 2 * s - 1 < n ? a[i + 2 * s - 1] : 0;
            sum += x + (i > 0 ? f[i - 1] : 0);
        }
    }
    return sum;
}

// Iterations of a block see each other's writes; elements outside the block only are read of another array.
static void within(int n, int m, int r, int steps, double a[n][m], float c[n][m])
{
#pragma acc parallel loop gang vector(8) present(a[0:n][0:m], c[0:n][0:m])
    for (int i = 0; i < n; i++)
#pragma acc loop vector(16)
        for (int j = 0; j < m; j++) {
#pragma acc fcw FETCH_CHANNEL_WB(a[i:0:0][j:r / 2:r / 2]) FETCH_ONLY(c[i:r:radius:j:r:r])
            for (int t = 0; t < steps; t++)
                if (j % 16 > 0)
                    a[i][j] = a[i][j] / 2 + a[i][j - 1] + (i >= r ? c[i - r][j] : 0) + (j + r < m ? c[i][j + r] : 0);
        }
}

// Written beside the pivot: every element that was written goes back, and no other.
static void shifted(int n, struct reach by, const int *a, int *b)
{
#pragma acc parallel loop gang vector(32) present(a[:n], b[:n]) async(2)
    for (int i = 0; i < n; i++) {
#pragma acc fcw CHANNEL_WB(b[i:by.before:by.after])
        if (i % 3 && i + by.after < n)
            b[i + by.after] = a[i];
    }
#pragma acc wait
}

// Three dimensions, of which one is known; structures; a size that the loop's body names.
static void cube(int n, int r, const struct body (*a)[20][20], double (*b)[20][20])
{
#pragma acc parallel loop gang vector(2) present(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
#pragma acc loop gang vector(4)
        for (int j = 0; j < 20; j++)
#pragma acc loop vector(8)
            for (int k = 0; k < 20; k++) {
                int twice = 2 * r;
#pragma acc fcw FETCH_ONLY(a[i:r:0][j:1:0][k:0:twice])
                {
                    double sum = a[i][j][k].x;
                    if (i >= r && j > 0 && k + 2 * r < 20)
                        sum += a[i - r][j - 1][k + 2 * r].x * a[i][j][k].c;
                    b[i][j][k] = sum;
                }
            }
}

// A stretch of an array that all iterations share, in a loop; compressed elsewhere, see below.
static void pairs(int n, int m, const float *x, const float *y, float *b)
{
#pragma acc parallel loop gang vector(128) present(x[:n], y[:n], b[:n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int first = 0; first < n; first += m) {
#pragma acc fcw FETCH_ONLY(y[first:0:m - 1])
            for (int j = first; j < first + m && j < n; j++)
                sum += x[i] > y[j] ? 1 : -1;
        }
        b[i] = sum;
    }
}

// Whole rows in blocks of one dimension, subscripts of 64 bits.
static void rows(long n, int m, int r, const float *a, float *b)
{
    const float (*row)[m] = (const float (*)[m])a;
#pragma acc parallel loop gang vector(32) copyin(row[0:n][0:m]) copyout(b[:n])
    for (long i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(row[i:r:0][0:0:m - 1])
        {
            float sum = 0;
            for (int k = 0; k < m; k++)
                sum += row[i][k] * (i >= r ? row[i - r][k] : 1);
            b[i] = sum;
        }
    }
}

static void tests_1d(int n)
{
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    double *d = malloc(n * sizeof *d);
    char *c = malloc(n);
    int *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++) {
        a[i] = (i * 13) % 17;
        d[i] = (i * 7) % 11;
        c[i] = (i * 5) % 13;
        p[i] = i;
        q[i] = -1;
    }
#pragma acc data copyin(a[:n], d[:n], c[:n], p[:n]) copyout(b[:n]) copy(q[:n])
    {
        for (int r = 0; r < 40; r += 13) {
            smooth(n, r, a, b);
#pragma acc update self(b[:n])
            for (int i = 0; i < n; i++) {
                float want = 0;
                for (int k = -r; k <= r; k++)
                    want += i + k >= 0 && i + k < n ? a[i + k] : 0;
                check_near("smooth", i, b[i], want, 1e-6);
            }
        }
        for (long s = 1; s < 70; s += 34) {
            double want = 0;
            for (int i = 0; i < n; i++) {
                want += i >= s ? c[i - s] : 0;
                want += i + 2 * s - 1 < n ? d[i + 2 * s - 1] : 0;
                want += i > 0 ? a[i - 1] : 0;
            }
            check_near("both", s, both(n, s, d, c, a), want, 1e-9);
        }
        struct reach by = {0, 5};
        shifted(n, by, p, q);
#pragma acc update self(q[:n])
        for (int i = 0; i < n; i++)
            check_int("shifted", i, q[i], i >= 5 && (i - 5) % 3 ? i - 5 : -1);
        pairs(n, 100, a, a, b);
    }
    for (int i = 0; i < n; i++) {
        float want = 0;
        for (int j = 0; j < n; j++)
            want += a[i] > a[j] ? 1 : -1;
        check_near("pairs", i, b[i], want, 1e-6);
    }
    free(a);
    free(b);
    free(c);
    free(d);
    free(p);
    free(q);
}

static void test_2d(int n, int m, int r)
{
    double (*a)[m] = malloc(n * sizeof *a), (*want)[m] = malloc(n * sizeof *want);
    float (*c)[m] = malloc(n * sizeof *c);
    int steps = 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            want[i][j] = a[i][j] = (i * 3 + j) % 7;
            c[i][j] = (i + j * 5) % 9;
        }
#pragma acc data copy(a[0:n][0:m]) copyin(c[0:n][0:m])
    within(n, m, r, steps, a, c);
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = m - 1; j >= 0; j--)
                if (j % 16 > 0)
                    want[i][j] = want[i][j] / 2 + want[i][j - 1] + (i >= r ? c[i - r][j] : 0) + (j + r < m ? c[i][j + r] : 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_near("within", i * m + j, a[i][j], want[i][j], 1e-9);
    free(a);
    free(want);
    free(c);
}

static void test_3d(int n, int r)
{
    struct body (*a)[20][20] = malloc(n * sizeof *a);
    double (*b)[20][20] = malloc(n * sizeof *b);
    for (int i = 0; i < n * 400; i++) {
        a[0][0][i].x = i % 37;
        a[0][0][i].c = i % 5;
    }
#pragma acc data copyin(a[0:n]) copyout(b[0:n])
    cube(n, r, a, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 20; j++)
            for (int k = 0; k < 20; k++) {
                double want = a[i][j][k].x;
                if (i >= r && j > 0 && k + 2 * r < 20)
                    want += a[i - r][j - 1][k + 2 * r].x * a[i][j][k].c;
                check_near("cube", (i * 20 + j) * 20 + k, b[i][j][k], want, 1e-9);
            }
    free(a);
    free(b);
}

static void test_rows(int n, int m, int r)
{
    float *a = malloc(n * m * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n * m; i++)
        a[i] = i % 23;
    rows(n, m, r, a, b);
    for (int i = 0; i < n; i++) {
        float want = 0;
        for (int k = 0; k < m; k++)
            want += a[i * m + k] * (i >= r ? a[(i - r) * m + k] : 1);
        check_near("rows", i, b[i], want, 1e-6);
    }
    free(a);
    free(b);
}

// Of a compressed array the block keeps numbers.
static void test_compressed(int n, int r)
{
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = (i % 32) / 16.0f - 1.0f;
#pragma acc parallel loop vector(128) ccopyin(bits(16) : a[0:n:-1:1]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:r:r])
        b[i] = (i >= r ? a[i - r] : 0) + (i + r < n ? a[i + r] : 0);
    }
    for (int i = 0; i < n; i++)
        check_near("compressed", i, b[i], (i >= r ? a[i - r] : 0) + (i + r < n ? a[i + r] : 0), 3e-4);
    free(a);
    free(b);
}

int main(void)
{
    tests_1d(1000);
    tests_1d(64 * 96);
    test_2d(37, 50, 2);
    test_2d(64, 64, 9);
    test_2d(8, 16, 0);
    test_3d(7, 2);
    test_3d(4, 0);
    test_3d(1, 9);
    test_rows(100, 13, 2);
    test_rows(1, 1, 0);
    test_rows(64, 5, 7);
    test_rows(33, 40, 40);
    test_compressed(777, 1);
    test_compressed(777, 100);
    return finish();
}

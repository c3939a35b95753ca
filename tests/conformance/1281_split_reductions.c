// Few iterations with long loops that reduce something: on CUDA threads and blocks share these loops (`split_reduction`). Columns and rows, results
// in variables and in elements of arrays, several at once, all operators, both directions, loops without iterations, what is stored before
// and after, conditions around, counters of 64 bits, arrays that overlap, queues.
// expect: launches=86
#include "check.h"
#include <limits.h>

enum { MOST = 2100 };
static float a[MOST * 40];
static double b[MOST * 40], mean[MOST], deviation[MOST], x[MOST], y[MOST];
static int number[MOST * 40], least[MOST], bits[MOST];
static long most[MOST];

static float f(long k) { return (float)(k * 37 % 101) / 101 - 0.25f; }
static double g(long k) { return (double)(k * 91 % 211) / 211; }

/* Columns of a matrix in rows of m. */
static void columns(int n, int m, const float *a, const double *x, double *y)
{
#pragma acc parallel loop copyin(a[0 : n * m], x[0 : n]) copy(y[0 : m])
    for (int j = 0; j < m; j++) {
        double s = 0.5;
        for (int i = 0; i < n; i++)
            s += a[i * m + j] * x[i];
        y[j] = s;
    }
}

/* The same, the lanes of a gang in a column. */
static void gangs(int n, int m, const float *a, const double *x, double *y)
{
#pragma acc parallel loop gang copyin(a[0 : n * m], x[0 : n]) copy(y[0 : m])
    for (int j = 0; j < m; j++) {
        double s = 0.5;
#pragma acc loop vector reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += a[i * m + j] * x[i];
        y[j] = s;
    }
}

/* Rows, whose sums are elements of an array. */
static void rows(int n, int m, const float *a, const double *x, double *y)
{
    int i, j;
#pragma acc parallel loop copyin(a[0 : n * m], x[0 : m]) copy(y[0 : n])
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            y[i] = y[i] + a[i * m + j] * x[j];
}

static void kernels_rows(int n, int m, const float *a, const double *x, double *y)
{
#pragma acc kernels copyin(a[0 : n * m], x[0 : m]) copy(y[0 : n])
    for (int i = 0; i < n; i++) {
        y[i] = 0.25;
        for (int j = 0; j < m; j++)
            y[i] += a[i * m + j] * x[j];
    }
}

/* The mean is stored before it is summed up, and used behind it. */
static void moments(int n, int m)
{
#pragma acc data copyin(b) copy(mean, deviation)
    {
#pragma acc kernels
        for (int j = 0; j < m; j++) {
            mean[j] = 0.0;
            for (int i = 0; i < n; i++)
                mean[j] += b[i * m + j];
            mean[j] /= n;
        }
#pragma acc parallel loop
        for (int j = 0; j < m; j++) {
            deviation[j] = 0.0;
            for (int i = 0; i < n; i++)
                deviation[j] += (b[i * m + j] - mean[j]) * (b[i * m + j] - mean[j]);
            deviation[j] = sqrt(deviation[j] / n);
            if (deviation[j] <= 0.1)
                deviation[j] = 1.0;
        }
    }
}

/* Four results of other types, loops that count down and in steps, bounds included. */
static void several(int n, int m, const int *number, int *least, long *most, int *bits, double *y)
{
#pragma acc parallel loop copyin(number[0 : n * m]) copy(least[0 : m], most[0 : m], bits[0 : m], y[0 : m])
    for (int j = m - 1; j >= 0; j--) {
        int low = INT_MAX, all = least[j];
        long high = LONG_MIN;
        float product = 1;
        for (int i = n - 1; i >= 0; i -= 3) {
            const int k = number[i * m + j];
            low = k < low ? k : low;
            if (k > high)
                high = k;
            all |= k;
            if (k % 5)
                continue;
            product *= 1.0f + k / 100000.0f;
        }
        least[j] = low;
        most[j] = high;
        bits[j] = all;
        y[j] = product;
    }
}

/* An iteration with its own bounds, and loops in the long one. */
static void triangle(long n, const double *b, double *y)
{
#pragma acc parallel loop copyin(b[0 : n * 40]) copy(y[0 : n])
    for (long j = 0; j <= n - 1; j++) {
        double s = 0;
        int count = 0;
        for (long i = j; i <= n - 1; i++) {
            double inner = 0;
            for (int k = 0; k < 3; k++)
                inner += b[i * 40 + k] * (j + 1);
            s += inner;
            count++;
        }
        y[j] = s / count;
    }
}

/* What is summed up is what another name of the array has. */
static void overlapping(int n, int m, double *p, double *q)
{
#pragma acc parallel loop copy(p[0 : n * m]) present_or_copy(q[0 : m])
    for (int j = 0; j < m; j++) {
        double s = 0;
        for (int i = 1; i < n; i++)
            s += p[i * m + j];
        q[j] = s;
    }
}

static void inverse(int n, int queue, const double *x, double *y)
{
#pragma acc parallel loop present(x[0 : n], y[0 : n]) async(queue)
    for (int i = 0; i < n; i++) {
        double far = 0, near = 0;
        for (int j = 0; j < n; j++) {
            const double d = x[j] - x[i];
            far = fmax(far, d * d);
            near += 1.0 / (1.0 + d * d);
        }
        y[i] = near + far;
    }
}

static void check_columns(const char *what, int n, int m, int of_rows, double start)
{
    for (int j = 0; j < (of_rows ? n : m); j++) {
        double want = start;
        for (int i = 0; i < (of_rows ? m : n); i++)
            want += a[of_rows ? j * m + i : i * m + j] * x[i];
        check_near(what, j, y[j], want, 1e-9);
        y[j] = 3;
    }
    for (int j = of_rows ? n : m; j < MOST; j++)
        check_near("beyond", j, y[j], 3, 0);
}

int main(void)
{
    for (long k = 0; k < MOST * 40; k++) {
        a[k] = f(k);
        b[k] = g(k);
        number[k] = (int)(k * 7919 % 10007) - 30;
    }
    for (int k = 0; k < MOST; k++) {
        x[k] = g(k + 5);
        y[k] = 3;
    }
    const int sizes[][2] = {{2000, 40}, {2000, 33}, {300, 7}, {1, 1}, {0, 5}, {257, 8}, {2, 1000}, {999, 16}, {40, 2000}, {300, 1}};
    for (int s = 0; s < 10; s++) {
        const int n = sizes[s][0], m = sizes[s][1];
        columns(n, m, a, x, y);
        check_columns("columns", n, m, 0, 0.5);
        gangs(n, m, a, x, y);
        check_columns("gangs", n, m, 0, 0.5);
        rows(m, n, a, x, y);
        check_columns("rows", m, n, 1, 3);
        kernels_rows(m, n, a, x, y);
        check_columns("kernels_rows", m, n, 1, 0.25);
        if (n == 0)
            continue;
        moments(n, m);
        for (int j = 0; j < m; j++) {
            double want = 0, square = 0;
            for (int i = 0; i < n; i++)
                want += b[i * m + j] / n;
            for (int i = 0; i < n; i++)
                square += (b[i * m + j] - want) * (b[i * m + j] - want);
            check_near("mean", j, mean[j], want, 1e-9);
            square = sqrt(square / n);
            check_near("deviation", j, deviation[j], square <= 0.1 ? 1.0 : square, 1e-6);
        }
        for (int j = 0; j < m; j++)
            least[j] = j * 1024;
        several(n, m, number, least, most, bits, y);
        for (int j = 0; j < m; j++) {
            int low = INT_MAX, all = j * 1024;
            long high = LONG_MIN;
            double product = 1;
            for (int i = n - 1; i >= 0; i -= 3) {
                const int k = number[i * m + j];
                low = k < low ? k : low;
                high = k > high ? k : high;
                all |= k;
                product *= k % 5 ? 1.0 : 1.0 + k / 100000.0;
            }
            check_int("least", j, least[j], low);
            check_int("most", j, most[j], high);
            check_int("bits", j, bits[j], all);
            check_near("product", j, y[j], product, 1e-4);
            y[j] = 3;
        }
    }
    for (long n = 1; n <= MOST; n += MOST - 1) {
        triangle(n, b, y);
        for (long j = 0; j < n; j++) {
            double want = 0;
            for (long i = j; i < n; i++)
                want += (b[i * 40] + b[i * 40 + 1] + b[i * 40 + 2]) * (j + 1);
            check_near("triangle", j, y[j], want / (n - j), 1e-9);
        }
    }
    /* The results take the place of the first row. */
    overlapping(1000, 40, b, b);
    for (int j = 0; j < 40; j++) {
        double want = 0;
        for (int i = 1; i < 1000; i++)
            want += b[i * 40 + j];
        check_near("overlapping", j, b[j], want, 1e-9);
    }
    static double x2[MOST], y2[MOST];
    for (int k = 0; k < MOST; k++)
        x2[k] = g(3 * k + 1);
#pragma acc data copyin(x, x2) copyout(y, y2)
    {
        for (int times = 0; times < 8; times++) {
            inverse(MOST, 1, x, y);
            inverse(MOST, 2, x2, y2);
        }
#pragma acc wait
    }
    for (int i = 0; i < MOST; i++) {
        for (int second = 0; second < 2; second++) {
            const double *from = second ? x2 : x;
            double far = 0, near = 0;
            for (int j = 0; j < MOST; j++) {
                const double d = from[j] - from[i];
                far = d * d > far ? d * d : far;
                near += 1.0 / (1.0 + d * d);
            }
            check_near(second ? "y2" : "y", i, second ? y2[i] : y[i], near + far, 1e-9);
        }
    }
    return finish();
}

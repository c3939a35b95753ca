// Scratch arrays that functions fill: a threadprivate one of 64 KiB, and arrays of a function's own as parameters of others with
// orphaned loops. A function ends the program where its arguments are wrong.
// expect: launches=4
#include "../check.h"
#include <stdlib.h>

#define NK 4096
#define BLOCKS 60
#define N 40
#define PAD 6
#define TIMERS 0

typedef struct { double re, im; } number;

void start_timer(int n);

static double x[2 * NK];
#pragma omp threadprivate(x)

static number field[N][N], other[N][N];
static int width = 4, rows[2] = {N, N};

static void fill(int n, double *seed, double y[])
{
    double t = *seed;
    int i;
    for (i = 1; i <= n; i++) {
        t = 0.5 * t + 1.0 / i;
        y[i] = t;
    }
    *seed = t;
}

static double blocks(int offset)
{
    double sum = 0;
    int k;
    for (k = 0; k < 2 * NK; k++)
        x[k] = -1e99;
#pragma omp parallel copyin(x)
    {
        double t, mine = 0;
        int i, kk;
#pragma omp for schedule(static) reduction(+ : sum)
        for (k = 1; k <= BLOCKS; k++) {
            kk = k + offset;
            t = kk;
            if (TIMERS == 1)
                start_timer(3);
            fill(2 * NK, &t, x - 1);
            for (i = 0; i < NK; i++)
                sum += x[2 * i] * x[2 * i + 1];
        }
    }
    return sum;
}

static void twist(int n, number a[N][PAD], number b[N][PAD])
{
    int i, j;
    if (n < 1 || n > N) {
        printf("twist: %d\n", n);
        exit(1);
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < width; j++) {
            b[i][j].re = a[n - 1 - i][j].re - 0.5 * a[i][j].im;
            b[i][j].im = a[n - 1 - i][j].im + 0.5 * a[i][j].re;
        }
    for (i = 0; i < n; i++)
        for (j = 0; j < width; j++)
            a[i][j] = b[i][j];
}

static void down(int d[2], number from[N][N], number to[N][N], number a[N][PAD], number b[N][PAD])
{
    int i, j, k;
#pragma omp for
    for (k = 0; k <= d[0] - width; k += width) {
        for (i = 0; i < d[1]; i++)
            for (j = 0; j < width; j++)
                a[i][j] = from[i][k + j];
        twist(d[1], a, b);
        for (i = 0; i < d[1]; i++)
            for (j = 0; j < width; j++)
                to[i][k + j] = a[i][j];
    }
}

static void across(int d[2], number from[N][N], number to[N][N], number a[N][PAD], number b[N][PAD])
{
    int i, j, k;
#pragma omp for
    for (k = d[0] - width; k >= 0; k -= width) {
        for (i = 0; i < d[1]; i++)
            for (j = 0; j < width; j++)
                a[i][j] = from[k + j][i];
        twist(d[1], a, b);
        for (i = 0; i < d[1]; i++)
            for (j = 0; j < width; j++)
                to[k + j][i] = a[i][j];
    }
}

static void transform(number from[N][N], number to[N][N])
{
    number a[N][PAD];
    number b[N][PAD];
    down(rows, from, from, a, b);
    across(rows, from, to, a, b);
}

static number total;

static void checksum(number of[N][N])
{
    int j;
    number part;
    part.re = 0.0;
    part.im = 0.0;
#pragma omp for nowait
    for (j = 0; j < 100; j++)
        if (j % 3)
            (part.re = part.re + of[j % N][5 * j % N].re, part.im = part.im + of[j % N][5 * j % N].im);
#pragma omp critical
    {
        total.re += part.re;
        total.im += part.im;
    }
}

static void start(number of[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            of[i][j].re = i + 0.25 * j;
            of[i][j].im = j - 0.5 * i;
        }
}

int main(void)
{
    static double want_x[2 * NK];
    double want = 0;
    for (int k = 1; k <= BLOCKS; k++) {
        double t = k + 3;
        fill(2 * NK, &t, want_x - 1);
        for (int i = 0; i < NK; i++)
            want += want_x[2 * i] * want_x[2 * i + 1];
    }
    check_near("sum", 0, blocks(3), want, 1e-9 * want);

    start(field);
#pragma omp parallel
    {
        transform(field, other);
        checksum(other);
    }
    static number same[N][N], result[N][N];
    number a[N][PAD], b[N][PAD];
    start(same);
    for (int k = 0; k < N; k += width) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < width; j++)
                a[i][j] = same[i][k + j];
        twist(N, a, b);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < width; j++)
                same[i][k + j] = a[i][j];
    }
    for (int k = 0; k < N; k += width) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < width; j++)
                a[i][j] = same[k + j][i];
        twist(N, a, b);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < width; j++)
                result[k + j][i] = a[i][j];
    }
    double re = 0, im = 0;
    for (int j = 0; j < 100; j++)
        if (j % 3) {
            re += result[j % N][5 * j % N].re;
            im += result[j % N][5 * j % N].im;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_near("other", i * N + j, other[i][j].im, result[i][j].im, 1e-9);
    check_near("re", 0, total.re, re, 1e-9);
    check_near("im", 0, total.im, im, 1e-9);

    // Nothing of a generator that each thread carries from number to number is scratch.
    double numbers = 0;
#pragma omp parallel reduction(+ : numbers)
    {
        int state[100], i, k;
        for (k = 0; k < 100; k++)
            state[k] = k;
#pragma omp for
        for (i = 0; i < 300; i++) {
            state[i % 100] += state[(i + 1) % 100] & 1;
            numbers += state[0] >= 0;
        }
    }
    check_near("numbers", 0, numbers, 300, 0);
    return finish();
}

// Transforms of lines in large arrays of a thread's own, by functions: the lanes of a gang share each line, and the arrays are in a
// block's shared memory where it has so much. Lines of odd numbers, flattened arrays, structures that are set member by member.
// expect: launches=3
#include "../check.h"

#define MOST 128
#define BLOCK 8
#define PAD 9

typedef struct { double re, im; } number;

static number field[24 * 32 * 16], want[24 * 32 * 16], roots[2 * MOST];

static void step(int is, int l, int m, int n, number u[], number x[][PAD], number y[][PAD])
{
    int i, j, k, from, half, to, beside, lk, li;
    number root, p, q;
    lk = 1 << (l - 1);
    li = 1 << (m - l);
    half = n / 2;
    for (i = 0; i <= li - 1; i++) {
        from = i * lk;
        to = i * 2 * lk;
        beside = to + lk;
        for (k = 0; k <= lk - 1; k++) {
            if (is >= 1) {
                root.re = u[lk + k].re;
                root.im = u[lk + k].im;
            } else {
                root.re = u[lk + k].re;
                root.im = -u[lk + k].im;
            }
            for (j = 0; j < BLOCK; j++) {
                p = x[from + k][j];
                q = x[from + half + k][j];
                y[to + k][j].re = p.re + (root.re * q.re - root.im * q.im);
                y[to + k][j].im = p.im + (root.re * q.im + root.im * q.re);
                y[beside + k][j].re = p.re - (root.re * q.re - root.im * q.im);
                y[beside + k][j].im = p.im - (root.re * q.im + root.im * q.re);
            }
        }
    }
}

static void transform(int is, int m, int n, number x[MOST][PAD], number y[MOST][PAD])
{
    int i, j, l;
    for (l = 1; l <= m; l += 2) {
        step(is, l, m, n, roots, x, y);
        if (l == m)
            break;
        step(is, l + 1, m, n, roots, y, x);
    }
    if (m % 2 == 1)
        for (j = 0; j < n; j++)
            for (i = 0; i < BLOCK; i++)
                x[j][i] = y[j][i];
}

/* Lines of n elements, `planes` times `lines` of them, which lie one after the other. */
static void along(int is, int m, int planes, int lines, number *from, number *to)
{
    int n = 1 << m, i, j, k, jj;
    number a[MOST][PAD], b[MOST][PAD];
#pragma omp parallel default(shared) private(i, j, k, jj, a, b)
    {
#pragma omp for
        for (k = 0; k < planes; k++)
            for (jj = 0; jj <= lines - BLOCK; jj += BLOCK) {
                for (j = 0; j < BLOCK; j++)
                    for (i = 0; i < n; i++)
                        a[i][j] = from[(k * lines + j + jj) * n + i];
                transform(is, m, n, a, b);
                for (j = 0; j < BLOCK; j++)
                    for (i = 0; i < n; i++)
                        to[(k * lines + j + jj) * n + i] = a[i][j];
            }
    }
}

static void serially(int is, int n, number *x)
{
    number y[MOST];
    for (int m = 0; m < n; m++) {
        y[m].re = y[m].im = 0;
        for (int i = 0; i < n; i++) {
            double angle = 2 * 3.14159265358979323846 * (i * m % n) / n;
            y[m].re += x[i].re * cos(angle) - is * x[i].im * sin(angle);
            y[m].im += x[i].im * cos(angle) + is * x[i].re * sin(angle);
        }
    }
    for (int i = 0; i < n; i++)
        x[i] = y[i];
}

static void check(int is, int m, int planes, int lines)
{
    int n = 1 << m;
    for (int i = 0; i < planes * lines * n; i++) {
        field[i].re = want[i].re = i % 11 - 5;
        field[i].im = want[i].im = i % 7 * 0.25;
    }
    along(is, m, planes, lines, field, field);
    for (int l = 0; l < planes * lines; l++)
        if (l % lines < lines / BLOCK * BLOCK)
            serially(is, n, want + l * n);
    for (int i = 0; i < planes * lines * n; i++) {
        check_near("re", i, field[i].re, want[i].re, 1e-9);
        check_near("im", i, field[i].im, want[i].im, 1e-9);
    }
}

int main(void)
{
    roots[0].re = 1;
    for (int half = 1; half <= MOST; half *= 2)
        for (int i = 0; i < half && half + i < 2 * MOST; i++) {
            roots[half + i].re = cos(3.14159265358979323846 * i / half);
            roots[half + i].im = sin(3.14159265358979323846 * i / half);
        }
    check(1, 5, 3, 24);
    check(-1, 4, 16, 17);
    check(1, 0, 5, 8);
    return finish();
}

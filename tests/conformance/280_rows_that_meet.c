// Rows that meet, of arrays that do not overlap: the outer loop runs in order, the loops inside it in parallel, in one gang. Only
// arrays that overlap, too, leave one thread.
// expect: launches=14 fallbacks=11
// expect-remark: Schedule fallback: one iteration after the other, where not w > m-1; loops inside are parallel, in one gang
// expect-remark: Schedule fallback: one iteration after the other, where arrays overlap or may \[
#include "check.h"

#define SIZE 6000

static int x[SIZE], y[SIZE], want_x[SIZE], want_y[SIZE];

/* The inner loop is parallel where p and q do not overlap. */
static void rows(int n, int m, int w, int *p, int *q)
{
#pragma acc kernels present(p[0:(n - 1) * w + m], q[0:(n - 1) * w + m])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = (p[k * w + j] * 3 + q[k * w + j]) % 1000 - j;
}

static void rows_on_host(int n, int m, int w, int *p, int *q)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = (p[k * w + j] * 3 + q[k * w + j]) % 1000 - j;
}

/* Planes of rows: two parallel loops inside, and a sum in the last one. */
static void planes(int l, int n, int m, int plane, int w, int *p, int *q)
{
#pragma acc kernels present(p[0:SIZE], q[0:SIZE])
    for (int i = 0; i < l; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++) {
                int sum = 0;
                for (int t = 0; t < 4; t++)
                    sum += q[i * plane + t];
                p[i * plane + k * w + j] = (p[i * plane + k * w + j] * 3 + sum) % 1000 - j;
            }
}

static void planes_on_host(int l, int n, int m, int plane, int w, int *p, int *q)
{
    for (int i = 0; i < l; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++) {
                int sum = 0;
                for (int t = 0; t < 4; t++)
                    sum += q[i * plane + t];
                p[i * plane + k * w + j] = (p[i * plane + k * w + j] * 3 + sum) % 1000 - j;
            }
}

/* Each column by itself, as long as columns stay in a row: else each row needs the one before it, and what that one wrote of it. */
static void columns(int n, int m, int w, int *p, int *q)
{
#pragma acc kernels present(p[0:n * w + m], q[0:n * w + m])
    for (int k = 1; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = (p[k * w + j] + p[(k - 1) * w + j] + q[k * w + j]) % 1000;
}

static void columns_on_host(int n, int m, int w, int *p, int *q)
{
    for (int k = 1; k < n; k++)
        for (int j = 0; j < m; j++)
            p[k * w + j] = (p[k * w + j] + p[(k - 1) * w + j] + q[k * w + j]) % 1000;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++) {
        x[i] = want_x[i] = i * 7 % 31;
        y[i] = want_y[i] = i * 5 % 37;
    }
#pragma acc data copy(x, y)
    {
        rows(30, 40, 40, x, y);         /* whole rows */
        rows(30, 41, 40, x, y);         /* one too many */
        rows(20, 190, 7, y, x);         /* many too many */
        rows(30, 40, 40, x, x + 3);     /* they overlap */
        rows(30, 41, 40, x, x + 3);     /* both */
        rows(30, 41, 40, x + 3, x);
        planes(5, 10, 20, 200, 20, x, y);
        planes(5, 10, 21, 200, 20, x, y);   /* rows meet */
        planes(5, 11, 20, 200, 20, x, y);   /* planes meet */
        planes(5, 11, 21, 200, 20, x, x);
        columns(30, 40, 40, x, y);
        columns(30, 45, 40, x, y);
        columns(30, 45, 40, x, x);
        columns(20, 190, 7, x, x + 5);
    }
    rows_on_host(30, 40, 40, want_x, want_y);
    rows_on_host(30, 41, 40, want_x, want_y);
    rows_on_host(20, 190, 7, want_y, want_x);
    rows_on_host(30, 40, 40, want_x, want_x + 3);
    rows_on_host(30, 41, 40, want_x, want_x + 3);
    rows_on_host(30, 41, 40, want_x + 3, want_x);
    planes_on_host(5, 10, 20, 200, 20, want_x, want_y);
    planes_on_host(5, 10, 21, 200, 20, want_x, want_y);
    planes_on_host(5, 11, 20, 200, 20, want_x, want_y);
    planes_on_host(5, 11, 21, 200, 20, want_x, want_x);
    columns_on_host(30, 40, 40, want_x, want_y);
    columns_on_host(30, 45, 40, want_x, want_y);
    columns_on_host(30, 45, 40, want_x, want_x);
    columns_on_host(20, 190, 7, want_x, want_x + 5);
    for (int i = 0; i < SIZE; i++) {
        check_int("x", i, x[i], want_x[i]);
        check_int("y", i, y[i], want_y[i]);
    }
    return finish();
}

// Rows counted by hand as programs do it: by a macro, with their length in a structure or a global
// variable, in nests that are not perfect, of arrays that may overlap besides.
// expect: launches=6 fallbacks=4
// expect-remark: Loop is parallelizable where arrays do not overlap and columns > 0 and columns > n-1, which each launch tests
// expect-remark: Loop is parallelizable where .*p->mdeps > depth-1 and .*, which each launch tests
#include "check.h"

#define SIZE 5000
#define IDX(row, column) ((row) * columns + (column))

static int x[2 * SIZE], want[2 * SIZE];
static int columns;

struct matrix {
    int *m;
    int mnums, mrows, mcols, mdeps;
};
#define MR(mt, n, r, c, d) mt->m[(n) * mt->mrows * mt->mcols * mt->mdeps + (r) * mt->mcols * mt->mdeps + (c) * mt->mdeps + (d)]

static void global_length(int *to, int *from, int n)
{
#pragma acc kernels present(to[0:SIZE], from[0:SIZE])
    for (int i = 0; i < n; i++) {
        to[IDX(i, 0)] = i;
        for (int j = 1; j < n; j++)
            to[IDX(i, j)] = from[IDX(i, j)] * 3 % 100 + from[IDX(i, j - 1)];
    }
}

static void members(struct matrix *p, struct matrix *q, int n, int rows, int columns, int depth)
{
    int *m = p->m, *o = q->m;
#pragma acc kernels present(m[0:SIZE], o[0:SIZE])
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < depth; k++)
                m[n * p->mrows * p->mcols * p->mdeps + i * p->mcols * p->mdeps + j * p->mdeps + k] += o[i + j + k];
}

static void all(void)
{
    columns = 50;
    global_length(x, x + SIZE, 50);
    columns = 49;
    global_length(x, x + SIZE, 50);
    columns = 60;
    global_length(x + 1, x, 50);
    struct matrix p = {x, 2, 9, 10, 11}, q = {x + SIZE, 1, 1, 1, SIZE};
    members(&p, &q, 1, 9, 10, 11);
    members(&p, &q, 1, 9, 10, 12);
    members(&p, &p, 1, 9, 10, 11);
}

/* The same without directives. */
static void all_on_host(int *x)
{
    const int shapes[3][3] = {{50, 0, SIZE}, {49, 0, SIZE}, {60, 1, 0}};
    for (int s = 0; s < 3; s++) {
        int *to = x + shapes[s][1], *from = x + shapes[s][2];
        columns = shapes[s][0];
        for (int i = 0; i < 50; i++) {
            to[IDX(i, 0)] = i;
            for (int j = 1; j < 50; j++)
                to[IDX(i, j)] = from[IDX(i, j)] * 3 % 100 + from[IDX(i, j - 1)];
        }
    }
    struct matrix one = {x, 2, 9, 10, 11}, *p = &one;
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 10; j++)
                for (int k = 0; k < (s == 1 ? 12 : 11); k++)
                    MR(p, 1, i, j, k) += x[(s == 2 ? 0 : SIZE) + i + j + k];
}

int main(void)
{
    for (int i = 0; i < 2 * SIZE; i++)
        x[i] = want[i] = i * 7 % 31;
#pragma acc data copy(x)
    all();
    all_on_host(want);
    for (int i = 0; i < 2 * SIZE; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}

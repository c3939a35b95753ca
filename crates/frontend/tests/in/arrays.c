// Arrays of every kind: constant, variable-length, pointers to rows, in structures.
#include <stdlib.h>
typedef struct { double v[3]; int tag; } cell;
typedef struct { int n; double *data; cell *cells; } grid;
static double table[8][16];

void rows(int n, int m, double a[n][m], double (*b)[m], double (*c)[16])
{
#pragma acc parallel loop collapse(2) copy(a[0:n][0:m], c[0:n][0:16]) copyin(b[1:n-1][0:m], table)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[i][j] = b[i][j] + c[i][j % 16] + table[i & 7][j];
            *a[i] = (*b)[j];
            double *row = a[i];
            row[0] += sizeof a[0];
        }
}

void local(int n, grid *g)
{
    double w[n][4], z[10] = {0};
    double *p = malloc(n * sizeof *p);
#pragma acc enter data create(w, p[0:n]) copyin(g->data[0:g->n], g->cells[0:g->n])
#pragma acc parallel loop present(w, p, g->data, g->cells) firstprivate(z) private(n)
    for (int i = 0; i < 10; i++) {
        double t[3] = {1, 2}, big[40] = {0};
        cell c = {{1, 2, 3}, i}, d;
        d = c;
        w[i][2] = t[1] + big[i] + z[i];
        p[i] = g->data[i] + g->cells[i].v[2] + d.v[0];
        g->cells[i] = c;
        g->cells[i].tag++;
        n = i;
    }
#pragma acc exit data delete(w, p, g->data) copyout(g->cells[0:g->n])
    free(p);
}

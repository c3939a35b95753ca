/* Only functions that a loop calls follow pointers: rows of an array of pointers, and a member of a structure. */
// expect: launches=6 downloads<=110
#include "../check.h"
#include <stdlib.h>

#define N 100
#define M 5000

typedef struct {
    int n;
    double *u;
} vector;

static double get(double **a, int i, int j) { return a[i][j]; }
static void put(double **a, int i, int j, double v) { a[i][j] = v; }
static double element(const vector *v, int i) { return v->u[i]; }
static void add(vector *v, int i, double d) { v->u[i] += d; }

int main(void)
{
    double **a = malloc(N * sizeof *a), *b = malloc(M * sizeof *b);
    vector v = {M, malloc(M * sizeof(double))};
    for (int i = 0; i < N; i++) {
        a[i] = malloc(M * sizeof **a);
        a[i][3] = i;
    }
    for (int i = 0; i < M; i++)
        v.u[i] = 2 * i;
    for (int step = 0; step < 1; step++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i][3] += 1;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            b[i] = get(a, i, 3);
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            put(a, i, 5, 2 * b[i]);
#pragma omp parallel for
        for (int i = 0; i < M; i++)
            add(&v, i, 1);
#pragma omp parallel for
        for (int i = 0; i < M; i++)
            b[i] = element(&v, i);
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            b[i] += a[i][5];
    }
    for (int i = 0; i < M; i++)
        check_near("b", i, b[i], 2 * i + 1 + (i < N ? 2 * (i + 1) : 0), 0);
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i][5], 2 * (i + 1), 0);
    return finish();
}

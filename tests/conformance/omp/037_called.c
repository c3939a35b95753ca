// Data of an enclosing target data in functions that are called: parameters, globals, parts of arrays.
// expect: launches=4 uploads=2 downloads=2
// needs: separate
#include "../check.h"
#include <stdlib.h>

#define N 120

static double field[N];

static void smooth(double *v, int n)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] = 0.5 * v[i] + 1;
}

static void with_clause(double *restrict v, const double *restrict w, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: w[0:n])
    for (int i = 0; i < n; i++)
        v[i] += w[i];
}

static void global(void)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        field[i] *= 2;
}

int main(void)
{
    double *x = malloc(N * sizeof *x);
    for (int i = 0; i < N; i++)
        x[i] = field[i] = i;
#pragma omp target data map(tofrom: x[0:N], field)
    {
        smooth(x, N);
        smooth(x + 60, 30);
        with_clause(field, x, N);
        global();
    }
    for (int i = 0; i < N; i++) {
        double once = 0.5 * i + 1, want = i >= 60 && i < 90 ? 0.5 * once + 1 : once;
        check_near("x", i, x[i], want, 0);
        check_near("field", i, field[i], 2 * (i + want), 0);
    }
    return finish();
}

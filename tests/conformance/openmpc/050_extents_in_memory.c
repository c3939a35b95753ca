// Loops over arrays whose extents are members, which are given to kernels as they were where the arrays are declared.
// expect: launches=2
#include "../check.h"
#include <stdlib.h>

struct object {
    void *restrict data;
    int *size;
};

static void step(struct object *u_vec, struct object *w_vec)
{
    float (*restrict u)[u_vec->size[1]] = (float (*)[u_vec->size[1]]) u_vec->data;
    float (*restrict w)[w_vec->size[1]] = (float (*)[w_vec->size[1]]) w_vec->data;
    int n = u_vec->size[0], m = u_vec->size[1];
    u_vec->size = w_vec->size = NULL;
#pragma omp parallel default(none) shared(u, w, n, m)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
#pragma omp simd
            for (int j = 0; j < m; j++)
                w[i][j] = 2 * u[i][j];
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[i][j] = w[n - 1 - i][j];
    }
}

int main(void)
{
    int u_size[] = {5, 6}, w_size[] = {5, 8};
    float *u = malloc(30 * sizeof *u), *w = malloc(40 * sizeof *w);
    for (int i = 0; i < 30; i++)
        u[i] = i;
    struct object u_vec = {u, u_size}, w_vec = {w, w_size};
    step(&u_vec, &w_vec);
    for (int i = 0; i < 30; i++)
        check_near("u", i, u[i], 2 * ((4 - i / 6) * 6 + i % 6), 0);
    free(u);
    free(w);
    return finish();
}

// Arrays whose extents are members, in sections that map and in updates.
// expect: launches=2
#include "../check.h"
#include <stdlib.h>

struct object {
    void *restrict data;
    int *size;
};

static void step(struct object *restrict u_vec, int last)
{
    double (*restrict u)[u_vec->size[1]][u_vec->size[2]] __attribute__((aligned(64))) =
        (double (*)[u_vec->size[1]][u_vec->size[2]]) u_vec->data;
    const int m = u_vec->size[1], n = u_vec->size[2];
#pragma omp target enter data map(to: u[0:u_vec->size[0]][0:u_vec->size[1]][0:u_vec->size[2]])
    for (int t = 0; t < last; t++) {
        u_vec->size[2] += t;
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                u[(t + 1) % 2][i][j] = u[t % 2][i][j] + i + j;
        u_vec->size[2] -= t;
    }
#pragma omp target update from(u[0:u_vec->size[0]][0:u_vec->size[1]][0:u_vec->size[2]])
#pragma omp target exit data map(release: u[0:u_vec->size[0]][0:u_vec->size[1]][0:u_vec->size[2]])
}

int main(void)
{
    int size[] = {2, 6, 7};
    double *u = malloc(84 * sizeof *u);
    for (int i = 0; i < 84; i++)
        u[i] = i;
    struct object u_vec = {u, size};
    step(&u_vec, 2);
    for (int i = 0; i < 42; i++) {
        check_near("next", i, u[42 + i], i + i / 7 + i % 7, 0);
        check_near("last", i, u[i], i + 2 * (i / 7 + i % 7), 0);
    }
    free(u);
    return finish();
}

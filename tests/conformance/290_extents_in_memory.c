// Arrays whose extents are members and elements: C evaluates an extent where the array is declared, so what the program
// stores there later changes nothing, and no launch transfers it.
// expect: launches=3 uploads=1 downloads=3
#include "check.h"
#include <stdlib.h>

struct grid {
    void *data;
    int *size;
    struct {
        long width;
    } shape[2];
};

static float at(float *u, int i, int j, int k) { return u[(i * 4 + j) * 5 + k]; }

static void step(struct grid *g, struct grid *out)
{
    float(*restrict u)[g->size[1]][g->size[2]] __attribute__((aligned(64))) =
        (float(*)[g->size[1]][g->size[2]])g->data;
    float (*v)[4][out->shape[1].width] = (float (*)[4][out->shape[1].width])out->data;
    int n = g->size[0], m = g->size[1], l = g->size[2];
#pragma acc enter data copyin(u[0:g->size[0]][0:g->size[1]][0:g->size[2]]) create(v[0:n][0:4][0:out->shape[1].width])
#pragma acc parallel loop collapse(3) present(u, v)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                v[i][j][k] = 2 * u[i][j][k];
#pragma acc update self(v[1:2][0:4][0:out->shape[1].width])
    check_near("updated", 0, v[2][3][4], 2 * at(g->data, 2, 3, 4), 0);
    g->size[1] = g->size[2] = 1;
    out->shape[1].width = 2;
#pragma acc parallel loop collapse(2) present(u, v)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                u[i][j][k] += v[i][j][k];
    g->size[1] = m, g->size[2] = l;
#pragma acc exit data copyout(u[0:g->size[0]][0:g->size[1]][0:g->size[2]]) delete(v)
}

// The array itself is on the stack.
static int squares(const struct grid *g)
{
    struct grid one = *g;
    int a[one.shape[0].width + 1][2];
    one.shape[0].width = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 7; i++)
        a[i][0] = i * i, a[i][1] = 1;
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += a[i][0] + a[i][1];
    return sum;
}

int main(void)
{
    int size[] = {3, 4, 5};
    float *data = malloc(60 * sizeof *data), *other = calloc(60, sizeof *other);
    for (int i = 0; i < 60; i++)
        data[i] = i;
    struct grid g = {data, size, {{6}, {5}}}, out = {other, size, {{6}, {5}}};
    step(&g, &out);
    for (int i = 0; i < 60; i++)
        check_near("u", i, data[i], 3 * i, 0);
    check_int("squares", 0, squares(&g), 91 + 7);
    free(data);
    free(other);
    return finish();
}

// Loops of a kernels construct over the rows of one array of pointers, or of structures with pointers, that no clause names. They are
// parallel where the pointers lead to different memory, which each launch finds out though there is only one array.
// flags: -gpu=autodata
// expect: launches=8
// devices: cpu cuda opencl
#include "check.h"
#include <stdlib.h>

#define N 700

struct part {
    int n;
    float *u, *v;
};

static float next(float x, int i)
{
    return 2 * x + 1 > 1000 ? i : 2 * x + 1;
}

static void rows(float **w)
{
#pragma acc kernels
    for (int i = 0; i < N; i++)
        w[i][1] = 2 * w[i][1] + 1 > 1000 ? i : 2 * w[i][1] + 1;
}

static void parts(struct part *p)
{
#pragma acc kernels
    for (int i = 0; i < N; i++)
        p[i].u[2] = 2 * p[i].v[2] + 1 > 1000 ? i : 2 * p[i].v[2] + 1;
}

int main(void)
{
    float **w = malloc(N * sizeof *w), *one = calloc(4, sizeof *one), *other = calloc(4, sizeof *other);
    struct part *p = malloc(N * sizeof *p);
    for (int step = 0; step < 4; step++) {
        // Rows of their own, one row for all, rows of their own but for two, others.
        for (int i = 0; i < N; i++) {
            w[i] = step == 1 || step == 2 && i == 9 ? one : calloc(4, sizeof **w);
            p[i] = (struct part){i, step == 1 ? one : calloc(4, sizeof *one), step == 3 ? other : one};
        }
        if (step == 2)
            w[N - 1] = one;
        one[1] = 3;
        rows(w);
        float all = 3;
        for (int i = 0; i < N; i++) {
            int shared = w[i] == one;
            all = shared ? next(all, i) : all;
            if (!shared)
                check_near("row", i, w[i][1], 1, 0);
        }
        check_near("shared", step, one[1], step == 1 || step == 2 ? all : 3, 0);

        one[2] = other[2] = 5;
        parts(p);
        all = 5;
        for (int i = 0; i < N; i++) {
            all = step == 1 ? next(all, i) : all;
            if (step != 1)
                check_near("part", i, p[i].u[2], 11, 0);
        }
        check_near("shared part", step, one[2], all, 0);
    }
    return finish();
}

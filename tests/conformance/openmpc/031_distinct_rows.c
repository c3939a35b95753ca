// The columns of rows behind pointers are independent, and so are the rows, unless two pointers lead to one: to the same row, to parts of
// one allocation, to a row of another array of pointers, or into an array that the loop names. Then the program's order counts.
// expect: launches=16
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>

#define N 2000
#define M 16

static void blend(float **w, float **old, const float *step)
{
#pragma omp parallel for
    for (int j = 0; j < M; j++)
        for (int k = 0; k < N; k++) {
            w[k][j] = 0.5f * w[k][j] + step[k];
            old[k][j] = 0.25f * old[k][j] + w[k][j];
        }
}

static void blend_here(float **w, float **old, const float *step)
{
    for (int j = 0; j < M; j++)
        for (int k = 0; k < N; k++) {
            w[k][j] = 0.5f * w[k][j] + step[k];
            old[k][j] = 0.25f * old[k][j] + w[k][j];
        }
}

static float **rows_of(int n, int m)
{
    float **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(m * sizeof **rows);
        for (int j = 0; j < m; j++)
            rows[i][j] = (i + j) % 7;
    }
    return rows;
}

struct net {
    float **w, **old, *step, *flat;
};

static struct net made(void)
{
    struct net net = {rows_of(N, M), rows_of(N, M), malloc(2 * N * sizeof(float)), malloc(N * M * sizeof(float))};
    for (int k = 0; k < 2 * N; k++)
        net.step[k] = k % 5 + 1;
    for (int i = 0; i < N * M; i++)
        net.flat[i] = i % 3;
    return net;
}

/* What the host does between two constructs, to both networks. */
static void change(struct net *net, int step)
{
    if (step == 3)
        net->w[7] = net->w[6];
    if (step == 5)
        net->w[7] = malloc(M * sizeof(float));
    if (step == 5)
        for (int j = 0; j < M; j++)
            net->w[7][j] = j;
    if (step == 7)
        net->old[N - 1] = net->w[0];
    if (step == 9) {
        net->old[N - 1] = malloc(M * sizeof(float));
        for (int j = 0; j < M; j++)
            net->old[N - 1][j] = 1;
    }
    /* A row in the argument's memory, and then rows of one allocation, of which two are the same. */
    if (step == 11)
        net->w[9] = net->step + N;
    if (step == 13)
        for (int k = 0; k < N; k++)
            net->w[k] = net->flat + k * M;
    if (step == 15)
        net->w[20] = net->flat + 10 * M;
}

int main(void)
{
    struct net net = made(), here = made();
    for (int step = 0; step < 16; step++) {
        change(&net, step);
        change(&here, step);
        blend(net.w, step == 12 ? net.w : net.old, net.step);
        blend_here(here.w, step == 12 ? here.w : here.old, here.step);
        for (int k = 0; k < N; k++)
            for (int j = 0; j < M; j++) {
                check_near("w", k, net.w[k][j], here.w[k][j], 1e-5);
                check_near("old", k, net.old[k][j], here.old[k][j], 1e-5);
            }
    }
    return finish();
}

// Thousands of rows of a few bytes, each allocated for itself: what lies one after the other is resident as one array is. The host
// reads and writes rows between constructs, exchanges them, frees and reallocates some, and frees what lies before them.
// expect: launches=40
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>
#include <string.h>

#define N 3000
#define M 17

static float **rows_of(int n, int m)
{
    float **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = malloc(m * sizeof **rows);
    return rows;
}

static void adjust(float **w, float **old, const float *delta)
{
#pragma omp parallel for
    for (int j = 0; j < M; j++)
        for (int k = 0; k < N; k++) {
            float change = 0.25f * old[k][j] + delta[j];
            w[k][j] += change;
            old[k][j] = change;
        }
}

static void adjust_here(float **w, float **old, const float *delta)
{
    for (int j = 0; j < M; j++)
        for (int k = 0; k < N; k++) {
            float change = 0.25f * old[k][j] + delta[j];
            w[k][j] += change;
            old[k][j] = change;
        }
}

static void totals(float **w, float *total)
{
#pragma omp parallel for
    for (int j = 0; j < M; j++) {
        float sum = 0;
        for (int k = 0; k < N; k++)
            sum += w[k][j];
        total[j] = sum;
    }
}

/* What the host does between two constructs, to both programs' rows. */
static void host(float **w, float **old, void **before, int step)
{
    if (step == 2)
        w[step][step] = 3;
    if (step == 3) {
        float *row = w[10];
        w[10] = w[20];
        w[20] = row;
    }
    if (step == 4) {
        free(*before);
        *before = malloc(40);
    }
    if (step == 5) {
        free(w[30]);
        w[30] = calloc(M, sizeof(float));
    }
    if (step == 6)
        old[1000] = realloc(old[1000], 4000);
    if (step == 7)
        old[1001][3] = w[1001][3] + w[N - 1][M - 1];
    if (step == 8)
        memcpy(w[0], old[N - 1], M * sizeof(float));
}

int main(void)
{
    static float delta[M], total[M];
    for (int j = 0; j < M; j++)
        delta[j] = j % 3 + 1;
    for (int round = 0; round < 2; round++) {
        void *before[2] = {malloc(40), NULL};
        float **w = rows_of(N, M), **old = rows_of(N, M);
        before[1] = malloc(40);
        float **w_here = rows_of(N, M), **old_here = rows_of(N, M);
        for (int k = 0; k < N; k++)
            for (int j = 0; j < M; j++) {
                w[k][j] = w_here[k][j] = (k + j) % 7;
                old[k][j] = old_here[k][j] = round;
            }
        for (int step = 0; step < 10; step++) {
            totals(w, total);
            for (int j = 0; j < M; j++) {
                float sum = 0;
                for (int k = 0; k < N; k++)
                    sum += w_here[k][j];
                check_near("total", step, total[j], sum, 1e-4);
            }
            adjust(w, old, delta);
            adjust_here(w_here, old_here, delta);
            host(w, old, &before[0], step);
            host(w_here, old_here, &before[1], step);
        }
        for (int k = 0; k < N; k++)
            for (int j = 0; j < M; j++) {
                check_near("w", k, w[k][j], w_here[k][j], 1e-5);
                check_near("old", k, old[k][j], old_here[k][j], 1e-5);
            }
        for (int k = 0; k < N; k++) {
            free(w[k]);
            free(old[k]);
            free(w_here[k]);
            free(old_here[k]);
        }
        free(w);
        free(old);
        free(w_here);
        free(old_here);
        free(before[0]);
        free(before[1]);
    }
    return finish();
}

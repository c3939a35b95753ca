// Rodinia HOTSPOT, LUD and NW: grids on the heap, pointers that are exchanged, wavefronts. What stays on the device is
// copied once to it, and back where the host looks.
#include "../check.h"
#include <stdlib.h>
#include <string.h>

static void heat(float *result, const float *t, const float *power, int rows, int columns, int parallel)
{
    int r, c;
    float delta;
#pragma omp parallel for shared(power, t, result) private(r, c, delta) firstprivate(rows, columns) if (parallel)
    for (r = 0; r < rows; r++)
        for (c = 0; c < columns; c++) {
            int at = r * columns + c;
            float north = t[r > 0 ? at - columns : at], south = t[r < rows - 1 ? at + columns : at];
            float west = t[c > 0 ? at - 1 : at], east = t[c < columns - 1 ? at + 1 : at];
            delta = 0.1f * (power[at] + (north + south - 2.f * t[at]) * 0.2f + (east + west - 2.f * t[at]) * 0.3f);
            result[at] = t[at] + delta;
        }
}

static void hotspot(void)
{
    int rows = 120, columns = 113, size = rows * columns;
    float *grid[2][2], *power = malloc(size * sizeof(float));
    for (int k = 0; k < 4; k++)
        grid[k / 2][k % 2] = calloc(size, sizeof(float));
    for (int i = 0; i < size; i++) {
        power[i] = 0.001f * (i % 7);
        grid[0][0][i] = grid[1][0][i] = 300 + i % 23;
    }
    for (int step = 0; step < 7; step++)
        for (int k = 0; k < 2; k++) {
            float *from = grid[k][step % 2], *to = grid[k][(step + 1) % 2];
            heat(to, from, power, rows, columns, k == 0);
        }
    for (int i = 0; i < size; i++)
        check_near("heat", i, grid[0][1][i], grid[1][1][i], 1e-5);
    for (int k = 0; k < 4; k++)
        free(grid[k / 2][k % 2]);
    free(power);
}

static void factors(float *a, int size)
{
    int i, j, k;
    float sum;
    for (i = 0; i < size; i++) {
#pragma omp parallel for default(none) private(j, k, sum) shared(size, a) firstprivate(i)
        for (j = i; j < size; j++) {
            sum = a[i * size + j];
            for (k = 0; k < i; k++)
                sum -= a[i * size + k] * a[k * size + j];
            a[i * size + j] = sum;
        }
#pragma omp parallel for default(none) private(j, k, sum) shared(size, a) firstprivate(i)
        for (j = i + 1; j < size; j++) {
            sum = a[j * size + i];
            for (k = 0; k < i; k++)
                sum -= a[j * size + k] * a[k * size + i];
            a[j * size + i] = sum / a[i * size + i];
        }
    }
}

static void lud(void)
{
    enum { n = 61 };
    float *a = malloc(n * n * sizeof(float)), before[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = before[i][j] = (i == j ? 20 : 0) + ((i * 3 + j * 5) % 7) * 0.1f;
    factors(a, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double product = 0;
            for (int k = 0; k <= (i < j ? i : j); k++)
                product += (k == i ? 1.0 : a[i * n + k]) * a[k * n + j];
            check_near("factors", i * n + j, product, before[i][j], 1e-4);
        }
    free(a);
}

static int best(int a, int b, int c)
{
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

static void needleman(void)
{
    int n = 131, gap = 10, i, k, at;
    int *similar = malloc(n * n * sizeof(int)), *score = malloc(n * n * sizeof(int)), *want;
    for (i = 0; i < n * n; i++) {
        similar[i] = (i * 37 % 21) - 8;
        score[i] = 0;
    }
    for (i = 1; i < n; i++)
        score[i * n] = score[i] = -i * gap;
    want = memcpy(malloc(n * n * sizeof(int)), score, n * n * sizeof(int));
    for (i = 0; i < n - 2; i++) {
#pragma omp parallel for shared(score) firstprivate(i, n, gap) private(k, at)
        for (k = 0; k <= i; k++) {
            at = (k + 1) * n + (i + 1 - k);
            score[at] = best(score[at - 1 - n] + similar[at], score[at - 1] - gap, score[at - n] - gap);
        }
    }
    for (i = 1; i < n; i++)
        for (k = 1; i + k < n; k++) {
            at = i * n + k;
            want[at] = best(want[at - 1 - n] + similar[at], want[at - 1] - gap, want[at - n] - gap);
        }
    for (i = 0; i < n; i++)
        for (k = 0; i + k < n; k++)
            check_int("score", i * n + k, score[i * n + k], want[i * n + k]);
    free(similar), free(score), free(want);
}

int main(void)
{
    hotspot();
    lud();
    needleman();
    return finish();
}

// A thread works on tiles in arrays of its own, as Needleman-Wunsch and LU of Rodinia do: it copies, works on, and copies back. Gangs run
// the tiles, lanes the loops that have no order, and one lane those that have. Where the ordered part is the larger one, or lanes would meet too often, threads
// stay.
// expect: launches=66
#include "../check.h"
#include <stdlib.h>

#define B 16

static int most(int a, int b, int c)
{
    int ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static void align_diagonals(int *score, const int *match, int columns, int penalty)
{
    int blocks = (columns - 1) / B;
    for (int d = 0; d < 2 * blocks - 1; d++) {
        int first = d < blocks ? 0 : d - blocks + 1, last = d < blocks ? d : blocks - 1;
#pragma omp parallel for
        for (int x = first; x <= last; x++) {
            int y = d - x;
            int tile[(B + 1) * (B + 1)], at[B * B];
            for (int i = 0; i < B; i++)
                for (int j = 0; j < B; j++)
                    at[i * B + j] = match[columns * (y * B + i + 1) + x * B + j + 1];
            for (int i = 0; i <= B; i++)
                for (int j = 0; j <= B; j++)
                    tile[i * (B + 1) + j] = score[columns * (y * B + i) + x * B + j];
            for (int i = 1; i <= B; i++)
                for (int j = 1; j <= B; j++)
                    tile[i * (B + 1) + j] = most(tile[(i - 1) * (B + 1) + j - 1] + at[(i - 1) * B + j - 1],
                                                 tile[i * (B + 1) + j - 1] - penalty, tile[(i - 1) * (B + 1) + j] - penalty);
            for (int i = 0; i < B; i++)
                for (int j = 0; j < B; j++)
                    score[columns * (y * B + i + 1) + x * B + j + 1] = tile[(i + 1) * (B + 1) + j + 1];
        }
    }
}

// Sums of rows in an array that each row begins anew; the row loop carries it.
static void multiply_tiles(float *c, const float *left, const float *top, int tiles)
{
#pragma omp parallel for
    for (int t = 0; t < tiles; t++) {
        float l[B * B], u[B * B], sum[B] = {0};
        for (int i = 0; i < B; i++)
            for (int j = 0; j < B; j++) {
                l[i * B + j] = left[t * B * B + i * B + j];
                u[i * B + j] = top[t * B * B + i * B + j];
            }
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++)
                    sum[j] += l[i * B + k] * u[k * B + j];
            for (int j = 0; j < B; j++) {
                c[t * B * B + i * B + j] -= sum[j];
                sum[j] = 0;
            }
        }
    }
}

// What lanes set is read by all afterwards, a scalar is handed on between loops, and most of the work has an order.
static void recurrences(int *out, const int *in, int rows)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int own[512], total = 0;
        for (int i = 0; i < 512; i++)
            own[i] = in[r * 512 + i];
        for (int step = 0; step < 4; step++)
            for (int i = 1; i < 512; i++)
                own[i] = (own[i] + 3 * own[i - 1]) % 1009;
        for (int i = 0; i < 512; i++)
            total += own[i];
        for (int i = 0; i < 512; i++)
            out[r * 512 + i] = own[i] - total % 7;
    }
}

// One lane's part between loops of lanes: it sets elements and a scalar that the lanes then read.
static void steps_between(int *out, const int *in, int rows)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int own[512], ends[64], pivot = r;
        for (int i = 0; i < 512; i++)
            own[i] = in[r * 512 + i];
        for (int i = 0; i < 512; i++)
            own[i] = own[i] * 2 + i;
        ends[0] = own[r % 512];
        for (int i = 1; i < 64; i++)
            ends[i] = (ends[i - 1] * 5 + own[i]) % 1013;
        pivot = ends[63] % 64;
        if (pivot % 2)
            ends[pivot] = -1;
        for (int i = 0; i < 512; i++)
            own[i] += ends[i % 64] + pivot;
        for (int i = 0; i < 512; i++)
            out[r * 512 + i] = own[i];
    }
}

int main(void)
{
    int columns = 32 * B + 1, cells = columns * columns;
    int *score = malloc(cells * sizeof(int)), *want = malloc(cells * sizeof(int)), *match = malloc(cells * sizeof(int));
    for (int i = 0; i < cells; i++) {
        match[i] = (int)(i * 2654435761u >> 9) % 21 - 10;
        score[i] = want[i] = i < columns ? -10 * i : i % columns == 0 ? -10 * (i / columns) : 0;
    }
    align_diagonals(score, match, columns, 10);
    for (int i = 1; i < columns; i++)
        for (int j = 1; j < columns; j++)
            want[i * columns + j] = most(want[(i - 1) * columns + j - 1] + match[i * columns + j],
                                         want[i * columns + j - 1] - 10, want[(i - 1) * columns + j] - 10);
    for (int i = 0; i < cells; i++)
        check_int("score", i, score[i], want[i]);

    enum { TILES = 40 };
    float *c = malloc(TILES * B * B * sizeof(float)), *l = malloc(TILES * B * B * sizeof(float)), *u = malloc(TILES * B * B * sizeof(float));
    for (int i = 0; i < TILES * B * B; i++) {
        c[i] = i % 11;
        l[i] = i % 7 - 3;
        u[i] = i % 5 - 2;
    }
    multiply_tiles(c, l, u, TILES);
    for (int t = 0; t < TILES; t++)
        for (int i = 0; i < B; i++)
            for (int j = 0; j < B; j++) {
                int at = t * B * B + i * B + j, sum = 0;
                for (int k = 0; k < B; k++)
                    sum += ((t * B * B + i * B + k) % 7 - 3) * ((t * B * B + k * B + j) % 5 - 2);
                check_near("c", at, c[at], at % 11 - sum, 1e-6);
            }

    enum { ROWS = 37 };
    int *in = malloc(ROWS * 512 * sizeof(int)), *out = malloc(ROWS * 512 * sizeof(int)), *between = malloc(ROWS * 512 * sizeof(int));
    for (int i = 0; i < ROWS * 512; i++)
        in[i] = (int)(i * 2654435761u >> 8) % 1000;
    recurrences(out, in, ROWS);
    steps_between(between, in, ROWS);
    for (int r = 0; r < ROWS; r++) {
        int own[512], ends[64], total = 0;
        for (int i = 0; i < 512; i++)
            own[i] = in[r * 512 + i];
        for (int step = 0; step < 4; step++)
            for (int i = 1; i < 512; i++)
                own[i] = (own[i] + 3 * own[i - 1]) % 1009;
        for (int i = 0; i < 512; i++)
            total += own[i];
        for (int i = 0; i < 512; i++)
            check_int("out", r * 512 + i, out[r * 512 + i], own[i] - total % 7);
        for (int i = 0; i < 512; i++)
            own[i] = in[r * 512 + i] * 2 + i;
        ends[0] = own[r % 512];
        for (int i = 1; i < 64; i++)
            ends[i] = (ends[i - 1] * 5 + own[i]) % 1013;
        int pivot = ends[63] % 64;
        if (pivot % 2)
            ends[pivot] = -1;
        for (int i = 0; i < 512; i++)
            check_int("between", r * 512 + i, between[r * 512 + i], own[i] + ends[i % 64] + pivot);
    }
    return finish();
}

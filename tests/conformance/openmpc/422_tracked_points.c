// Each point has arrays of its own behind pointers in a structure, as Rodinia's HEARTWALL has. Lanes share the pairs of loops inside,
// whose lengths only the launch knows, and the lines whose sums are added up in order; one lane looks for the largest value.
// expect: launches=3
// expect-remark: Schedule plain: grid\(i:x\) threads\(iteration:x, row:x, iteration_2:x, i_2_2:x, iteration_3:x\)
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>

#define POINTS 13
#define STEPS 3

typedef struct {
    int width, rows, columns, window, step;
    const float *picture, *pattern;
} common;

typedef struct {
    int row, column, value;
    float *part, *sums, *scores;
    int *place;
} own;

static void track(common c, own p)
{
    int row, column, i, j, at = 0, moves = c.rows - c.window + 1;
    float most = -1;
    for (row = 0; row < c.rows; row++)
        for (column = 0; column < c.columns; column++) {
            int from = (row + p.place[0]) * c.width + column + p.place[1];
            p.part[row * c.columns + column] = c.picture[from];
        }
    for (row = 0; row < c.rows; row++) {
        float sum = 0;
        for (column = 0; column < c.columns; column++) {
            sum += p.part[row * c.columns + column];
            p.sums[row * c.columns + column] = sum;
        }
    }
    for (row = 0; row < moves; row++)
        for (column = 0; column < moves; column++) {
            float score = 0;
            for (i = 0; i < c.window; i++)
                for (j = 0; j < c.window; j++)
                    score += c.pattern[i * c.window + j] * p.part[(row + i) * c.columns + column + j];
            p.scores[row * moves + column] = score + 0.5f * p.sums[row * c.columns + column];
        }
    for (i = 0; i < moves * moves; i++)
        if (p.scores[i] > most) {
            most = p.scores[i];
            at = i;
        }
    p.place[0] = (p.place[0] + at / moves) % 20;
    p.place[1] = (p.place[1] + at % moves + p.value) % 20;
    for (row = 0; row < c.rows; row++)
        for (column = 0; column < c.columns; column++)
            p.sums[row * c.columns + column] *= 0.5f;
}

static own point(int value, common c)
{
    int *place = malloc(2 * sizeof *place);
    place[0] = value, place[1] = 2 * value % 20;
    float *memory[3];
    for (int k = 0; k < 3; k++)
        memory[k] = calloc(c.rows * c.columns, sizeof(float));
    return (own){0, 0, value, memory[0], memory[1], memory[2], place};
}

int main(void)
{
    common c = {64, 40, 36, 9, 0, NULL, NULL};
    float *film = malloc(STEPS * 64 * 64 * sizeof *film), *pattern = malloc(81 * sizeof *pattern);
    for (int i = 0; i < STEPS * 64 * 64; i++)
        film[i] = (i * 37 % 101 + i % 7) * 0.03125f;
    for (int i = 0; i < 81; i++)
        pattern[i] = i % 5 * 0.25f;
    c.pattern = pattern;
    c.columns = c.rows;
    own all[POINTS], here[POINTS];
    for (int i = 0; i < POINTS; i++) {
        all[i] = point(i, c);
        here[i] = point(i, c);
    }
    for (c.step = 0; c.step < STEPS; c.step++) {
        c.picture = film + c.step * 64 * 64;
        int i;
#pragma omp parallel for
        for (i = 0; i < POINTS; i++)
            track(c, all[i]);
        for (i = 0; i < POINTS; i++)
            track(c, here[i]);
        for (i = 0; i < POINTS; i++) {
            check_int("row", i, all[i].place[0], here[i].place[0]);
            check_int("column", i, all[i].place[1], here[i].place[1]);
            for (int k = 0; k < c.rows * c.columns; k++)
                check_near("sums", k, all[i].sums[k], here[i].sums[k], 1e-5);
        }
    }
    return finish();
}

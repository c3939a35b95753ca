// Rodinia's HEARTWALL gives a function two structures by value, follows their pointers and returns early. The loops inside are shared by
// lanes, where the pointers of each structure lead to different memory: those of different structures may lead to the same.
// expect: launches=8
// expect-remark: loop gang /\* blockIdx.x \*/
// expect-remark: loop vector\(128\)
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>

#define POINTS 40
#define SIZE 30
#define WIDTH 50
#define STEPS 8

typedef struct {
    int step, rows, columns, width, points;
    const float *picture;
} common;

typedef struct {
    int point, offset;
    int *row, *column;
    float *all, *window, *found;
} own;

static void track(common c, own p)
{
    float *in = &p.all[p.offset];
    int i, j, k;
    if (c.step == 0) {
        p.row[p.point] = p.point;
        p.column[p.point] = p.point / 2;
        for (j = 0; j < c.columns; j++)
            for (i = 0; i < c.rows; i++)
                in[j * c.rows + i] = c.picture[(j + p.point / 2) * c.width + i + p.point];
        return;
    }
    int low = p.row[p.point], left = p.column[p.point];
    for (j = 0; j < c.columns; j++)
        for (i = 0; i < c.rows; i++)
            p.window[j * c.rows + i] = c.picture[(j + left) * c.width + i + low] + 0.5f * in[j * c.rows + i];
    // In place: in order where the two are one.
    for (k = 1; k < c.rows * c.columns; k++)
        p.found[k] = p.window[k - 1] + 1;
    float sum = 0;
    for (k = 0; k < c.rows * c.columns; k++)
        sum += p.found[k];
    if (sum > 100)
        p.row[p.point] += 1;
    for (k = 0; k < c.rows * c.columns; k++)
        in[k] = 0.875f * in[k] + 0.125f * p.window[k];
}

static void points_of(own *p, int one)
{
    float *all = calloc(POINTS * SIZE * SIZE, sizeof *all);
    int *row = calloc(POINTS, sizeof *row), *column = calloc(POINTS, sizeof *column);
    for (int i = 0; i < POINTS; i++) {
        float *window = calloc(SIZE * SIZE, sizeof *window), *found = calloc(SIZE * SIZE, sizeof *found);
        p[i] = (own){i, i * SIZE * SIZE, row, column, all, window, i == one ? window : found};
    }
}

int main(void)
{
    common c = {0, SIZE, SIZE, WIDTH + POINTS, POINTS, NULL};
    float *picture = malloc(STEPS * (WIDTH + POINTS) * (WIDTH + POINTS) * sizeof *picture);
    for (int i = 0; i < STEPS * (WIDTH + POINTS) * (WIDTH + POINTS); i++)
        picture[i] = (i * 37 % 101 + i % 7) * 0.0625f;
    own p[POINTS], here[POINTS];
    // One structure whose pointers meet makes the loops of all run in order.
    for (int one = -1; one < 4; one += 4) {
        points_of(p, one);
        points_of(here, one);
        for (c.step = 0; c.step < STEPS / 2; c.step++) {
            c.picture = picture + c.step * (WIDTH + POINTS) * (WIDTH + POINTS);
            int i;
#pragma omp parallel for
            for (i = 0; i < c.points; i++)
                track(c, p[i]);
            for (i = 0; i < POINTS; i++)
                track(c, here[i]);
        }
        for (int i = 0; i < POINTS; i++) {
            check_int("row", i, p[i].row[i], here[i].row[i]);
            for (int k = 0; k < SIZE * SIZE; k++) {
                check_near("found", k, p[i].found[k], here[i].found[k], 1e-5);
                check_near("in", k, p[i].all[p[i].offset + k], here[i].all[here[i].offset + k], 1e-5);
            }
        }
    }
    return finish();
}

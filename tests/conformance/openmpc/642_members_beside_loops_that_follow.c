// A host loop that leads behind pointers of structures stays the host's, as if there were no construct: it changes no structure on a
// device. So kernels get the members of a global structure by value, and nothing of it is sent.
// expect: launches=4 uploads<=4
#include "../check.h"
#include <stdlib.h>

#define POINTS 40
#define LENGTH 600

struct parameters {
    int points, length, step;
    double scale;
} now;

typedef struct {
    int number;
    int *row, *column;
    double *values;
} point;

static int *start;
static point *own;

static void add(struct parameters now, point own)
{
    for (int k = 0; k < now.length; k++)
        own.values[k] += now.scale * now.step + own.row[own.number] + own.column[own.number];
}

static void work(void)
{
    int i;
    for (i = 0; i < now.points; i++) {
        own[i].row[i] = start[i];
        own[i].column[i] = start[i] + 1;
    }
    for (now.step = 1; now.step <= 4; now.step++) {
#pragma omp parallel for
        for (i = 0; i < now.points; i++)
            add(now, own[i]);
    }
}

int main(void)
{
    now.points = POINTS, now.length = LENGTH, now.scale = 0.25;
    start = malloc(POINTS * sizeof *start);
    own = malloc(POINTS * sizeof *own);
    int *row = calloc(POINTS, sizeof *row), *column = calloc(POINTS, sizeof *column);
    for (int i = 0; i < POINTS; i++) {
        start[i] = 3 * i;
        own[i] = (point){i, row, column, calloc(LENGTH, sizeof(double))};
    }
    work();
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < LENGTH; k++)
            check_near("value", i * LENGTH + k, own[i].values[k], 6.5 + 24 * i, 1e-12);
    return finish();
}

// What pointers lead to is looked up again only where it has changed: the program allocates and frees an array in each step, puts another row
// in the place of one, of the same length and of another, and moves the table of rows.
// expect: launches=12
#include "../check.h"
#include <stdlib.h>
#include <string.h>

#define ROWS 40
#define LENGTH 200
#define STEPS 12

typedef struct {
    int length;
    double *values, *sums;
} row;

static double *fresh(int length, double value)
{
    double *made = malloc(length * sizeof *made);
    for (int i = 0; i < length; i++)
        made[i] = value + i;
    return made;
}

int main(void)
{
    row *rows = malloc(ROWS * sizeof *rows);
    double want[ROWS][LENGTH + 100];
    for (int r = 0; r < ROWS; r++) {
        rows[r] = (row){LENGTH, fresh(LENGTH, r), fresh(LENGTH + 100, 0)};
        for (int i = 0; i < LENGTH + 100; i++)
            want[r][i] = i;
    }
    for (int step = 0; step < STEPS; step++) {
        double *weights = fresh(4000 + 16 * step, step);
        if (step == 3 || step == 8) {
            // Of the same length: most likely in the same place.
            free(rows[5].values);
            rows[5].values = fresh(LENGTH, 1000 * step);
        }
        if (step == 5) {
            // Of another length: beside what was there.
            free(rows[7].values);
            rows[7] = (row){LENGTH + 100, fresh(LENGTH + 100, 7), rows[7].sums};
        }
        if (step == 6) {
            row *moved = malloc(ROWS * sizeof *moved);
            memcpy(moved, rows, ROWS * sizeof *moved);
            memset(rows, 0, ROWS * sizeof *rows);
            free(rows);
            rows = moved;
        }
        if (step == 10)
            rows[9].sums[3] = -1, want[9][3] = -1;
#pragma omp parallel for
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < rows[r].length; i++)
                rows[r].sums[i] += rows[r].values[i] * weights[i];
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < rows[r].length; i++)
                want[r][i] += rows[r].values[i] * (step + i);
        free(weights);
    }
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < LENGTH + 100; i++)
            check_near("sum", r * 1000 + i, rows[r].sums[i], want[r][i], 1e-9);
    return finish();
}

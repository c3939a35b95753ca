/* Arrays of threads that several files have as scratch memory are that for the program, and the loops of both files run on the device.
   One that a file reads as another left it is not. */
// expect: launches=6
// sources: parts/594_lines.c
#include "../check.h"
#include <omp.h>

enum { ROWS = 60, LENGTH = 40 };
double row[LENGTH + 1][3], pivot;
#pragma omp threadprivate(row, pivot)
double carried[LENGTH];
#pragma omp threadprivate(carried)
extern double u[ROWS][LENGTH];

void across(void);
double sum_of_carried(void);

static void along(double with)
{
    int k, i;
#pragma omp parallel for private(i)
    for (k = 0; k < ROWS; k++) {
        for (i = 0; i <= LENGTH; i++) {
            pivot = 1.0 + k % 3;
            row[i][0] = row[i][1] = row[i][2] = with * pivot;
        }
        for (i = 0; i < LENGTH; i++)
            u[k][i] += row[i][0] + 0.5 * row[i + 1][1] - 0.25 * row[i][2];
    }
}

/* Its threads' copies are read in the other file. */
static void leave(void)
{
    int k;
#pragma omp parallel for schedule(static)
    for (k = 0; k < LENGTH; k++)
        carried[k] = k;
}

int main(void)
{
    static double want[ROWS][LENGTH];
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < LENGTH; i++)
            u[k][i] = want[k][i] = k % 5 + i % 7;
    for (int step = 1; step <= 3; step++) {
        along(step);
        across();
        for (int k = 0; k < ROWS; k++)
            for (int i = 0; i < LENGTH; i++)
                want[k][i] += 1.25 * step * (1.0 + k % 3);
        for (int k = 0; k < ROWS; k++) {
            double before = 0.0;
            for (int i = 0; i < LENGTH; i++) {
                double here = 2.0 * want[k][i];
                want[k][i] = 0.25 * (here + before);
                before = here;
            }
        }
    }
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < LENGTH; i++)
            check_near("u", k * LENGTH + i, u[k][i], want[k][i], 1e-12);
    omp_set_dynamic(0);
    leave();
    check_near("carried", 0, sum_of_carried(), LENGTH * (LENGTH - 1) / 2.0, 1e-12);
    return finish();
}

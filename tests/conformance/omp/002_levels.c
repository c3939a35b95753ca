// Teams and threads in separate constructs: what a team's first thread computes is there for its threads.
// expect: launches=2 uploads=0 downloads=2
#include "../check.h"

#define ROWS 37
#define COLUMNS 53

static int a[ROWS][COLUMNS], b[ROWS][COLUMNS];

int main(void)
{
#pragma omp target map(from: a)
#pragma omp teams
    {
#pragma omp distribute
        for (int i = 0; i < ROWS; i++) {
            int first = 10 * i;
#pragma omp parallel for
            for (int j = 0; j < COLUMNS; j++)
                a[i][j] = first + j;
        }
    }
#pragma omp target teams distribute map(from: b)
    for (int i = 0; i < ROWS; i++) {
        int sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int j = 0; j < COLUMNS; j++)
            sum += i * j;
#pragma omp parallel
        {
#pragma omp for
            for (int j = 0; j < COLUMNS; j++)
                b[i][j] = sum;
#pragma omp for nowait
            for (int j = 0; j < COLUMNS; j++)
                b[i][j] += j;
        }
    }

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            check_int("a", i * COLUMNS + j, a[i][j], 10 * i + j);
            check_int("b", i * COLUMNS + j, b[i][j], i * (COLUMNS * (COLUMNS - 1) / 2) + j);
        }
    return finish();
}

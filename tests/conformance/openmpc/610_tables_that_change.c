// Small tables of pointers, which constructs follow again and again: where nothing has changed they are not followed anew, and each
// change of a pointer, of what it leads to, or of what the program keeps beside it counts.
// expect: launches=46
#include "../check.h"
#include <stdlib.h>

enum { ROWS = 40, COLS = 17, LARGE = 5000 };

typedef struct {
    double *at;
    double sum;
    int n;
} Part;

static double **rows, want[ROWS][COLS];

static void add(double **to, int n, double value)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < COLS; j++)
            to[i][j] += value;
}

static void expected(int n, double value)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < COLS; j++)
            want[i][j] += value;
}

static void compare(const char *when)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            check_near(when, i * COLS + j, rows[i][j], want[i][j], 1e-12);
}

static double *row(double value)
{
    double *r = malloc(COLS * sizeof(double));
    for (int j = 0; j < COLS; j++)
        r[j] = value;
    return r;
}

int main(void)
{
    rows = malloc(ROWS * sizeof(double *));
    double *spare = row(100);
    for (int i = 0; i < ROWS; i++) {
        rows[i] = row(i);
        for (int j = 0; j < COLS; j++)
            want[i][j] = i;
    }

    // The same again and again; the host writes elements in between.
    for (int step = 0; step < 10; step++) {
        add(rows, ROWS, step);
        expected(ROWS, step);
        rows[step][3] = want[step][3] = -step;
    }
    compare("again");

    // One pointer is another.
    for (int step = 0; step < 4; step++) {
        double *before = rows[7];
        rows[7] = spare;
        add(rows, ROWS, 1);
        for (int j = 0; j < COLS; j++)
            check_near("spare", j, spare[j], 101 + step, 1e-12);
        rows[7] = before;
        expected(ROWS, 1);
        for (int j = 0; j < COLS; j++)
            want[7][j] -= 1;
    }
    compare("another");

    // Two are exchanged: each has the other's values then.
    for (int step = 0; step < 4; step++) {
        double *a = rows[1];
        rows[1] = rows[2];
        rows[2] = a;
        for (int j = 0; j < COLS; j++) {
            double w = want[1][j];
            want[1][j] = want[2][j];
            want[2][j] = w;
        }
        add(rows, ROWS, 0.5);
        expected(ROWS, 0.5);
    }
    compare("exchanged");

    // A row is freed and allocated again, mostly where it was; then a longer one, which lies elsewhere.
    for (int step = 0; step < 6; step++) {
        int i = 10 + step;
        free(rows[i]);
        rows[i] = step % 2 ? malloc(LARGE * sizeof(double)) : malloc(COLS * sizeof(double));
        for (int j = 0; j < COLS; j++)
            rows[i][j] = want[i][j] = 5 * step + j;
        add(rows, ROWS, 2);
        expected(ROWS, 2);
        add(rows, ROWS, 3);
        expected(ROWS, 3);
    }
    compare("freed");

    // A data clause has one of the rows on the device, and decides about it.
    add(rows, ROWS, 1);
    expected(ROWS, 1);
    double *named = rows[20];
#pragma omp target data map(to : named[0 : COLS])
    {
        for (int step = 0; step < 3; step++) {
            add(rows, ROWS, 1);
            expected(ROWS, 1);
        }
#pragma omp target update from(named[0 : COLS])
    }
    compare("named");
    for (int step = 0; step < 3; step++) {
        add(rows, ROWS, 1);
        expected(ROWS, 1);
    }
    compare("no longer named");

    // Fewer rows of the same table, and a table on the stack with pointers into it.
    double *some[8];
    for (int i = 0; i < 8; i++)
        some[i] = rows[i];
    for (int step = 0; step < 3; step++) {
        add(rows, 5, 1);
        expected(5, 1);
        add(some, 8, 2);
        expected(8, 2);
        double *first = some[0];
        some[0] = some[7];
        some[7] = first;
    }
    compare("fewer");

    // What lies beside the pointers: kernels write it, and the program sets it back.
    Part *parts = malloc(ROWS * sizeof(Part));
    for (int i = 0; i < ROWS; i++) {
        parts[i].at = rows[i];
        parts[i].sum = 0;
        parts[i].n = COLS;
    }
    for (int step = 0; step < 6; step++) {
#pragma omp parallel for
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < parts[i].n; j++)
                parts[i].sum += parts[i].at[j];
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int j = 0; j < parts[i].n; j++)
                sum += want[i][j];
            check_near("sum", i, parts[i].sum, sum, 1e-12);
            parts[i].sum = 0;
            parts[i].n = step % 3 == 2 ? COLS - 1 : COLS;
        }
    }
    return finish();
}

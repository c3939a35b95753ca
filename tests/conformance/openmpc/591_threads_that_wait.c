/* Loops in which threads wait for what others write stay with the host's threads, and whatever region calls them. */
// expect: launches=1
// expect-remark: a thread waits in it for what others write
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

enum { ROWS = 24, COLUMNS = 40 };
static double v[ROWS][COLUMNS], want[ROWS][COLUMNS];
static int ready[ROWS];

/* A wave goes through the rows, column by column: the thread of a row waits for the one above, as in NAS LU. */
static void lower(int column)
{
    int i;
#pragma omp for schedule(static) nowait
    for (i = 1; i < ROWS; i++) {
        if (i != 1) {
            while (ready[i - 1] == 0) {
#pragma omp flush(ready)
                ;
            }
        }
        if (i != ROWS - 1) {
            while (ready[i] == 1) {
#pragma omp flush(ready)
                ;
            }
        }
        v[i][column] += 0.5 * v[i - 1][column] + 0.25 * v[i][column - 1];
        if (i != 1)
            ready[i - 1] = 0;
        if (i != ROWS - 1)
            ready[i] = 1;
#pragma omp flush(ready)
    }
}

static int look(int *at)
{
    int value;
#pragma omp atomic read
    value = *at;
    return value;
}

/* The value comes by a function, and is kept in a variable. */
static int by_a_function(void)
{
    int turn[8] = {0}, sum = 0, i;
#pragma omp parallel for num_threads(8) schedule(static, 1) reduction(+ : sum)
    for (i = 0; i < 8; i++) {
        int seen = i == 0;
        while (!seen)
            seen = look(&turn[i - 1]);
        sum += i;
#pragma omp atomic write
        turn[i] = 1;
    }
    return sum;
}

/* Between the loops: one section waits for another. */
static int sections(int *a, int n)
{
    int full = 0, sum = 0, i;
#pragma omp parallel num_threads(2) private(i)
    {
#pragma omp for
        for (i = 0; i < n; i++)
            a[i] = i;
#pragma omp sections
        {
#pragma omp section
            {
                int seen;
                do {
#pragma omp atomic read
                    seen = full;
                } while (!seen && omp_get_num_threads() > 1);
                sum += 1;
            }
#pragma omp section
            {
#pragma omp atomic write
                full = 1;
            }
        }
    }
    return sum;
}

/* What gets on by itself waits for nobody: Newton's steps, a list, a search in steps, a block that is left at its end. */
static double steps(double *a, const int *next, int n)
{
    int i;
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (i = 0; i < n; i++) {
        double x = 1.0 + i, error = 1.0;
        int at = i, low = 0, high = n;
        while (error > 1e-12) {
            double better = 0.5 * (x + (1.0 + i) / x);
            error = better > x ? better - x : x - better;
            x = better;
        }
        while (next[at] != at)
            at = next[at];
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (middle <= i)
                low = middle;
            else
                high = middle;
        }
        do {
            if (i % 2)
                break;
            x += 1.0;
        } while (0);
        while (1) {
            x += 2.0;
            break;
        }
        a[i] = x + at + low;
        sum += a[i];
    }
    return sum;
}

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            v[i][j] = want[i][j] = i % 5 + j % 3;
#pragma omp parallel
    for (int j = 1; j < COLUMNS; j++)
        lower(j);
    for (int j = 1; j < COLUMNS; j++)
        for (int i = 1; i < ROWS; i++)
            want[i][j] += 0.5 * want[i - 1][j] + 0.25 * want[i][j - 1];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            check_near("v", i * COLUMNS + j, v[i][j], want[i][j], 1e-12);
    if (omp_get_max_threads() > 1) {
        omp_set_dynamic(0);
        check_int("by_a_function", 0, by_a_function(), 28);
    }

    int n = 1000, *next = malloc(n * sizeof(int)), *numbers = malloc(n * sizeof(int));
    double *a = malloc(n * sizeof(double)), sum = 0.0;
    for (int i = 0; i < n; i++)
        next[i] = i % 10 ? i - 1 : i;
    check_int("sections", 0, sections(numbers, n), 1);
    check_int("numbers", 0, numbers[n - 1], n - 1);
    double all = steps(a, next, n);
    for (int i = 0; i < n; i++) {
        double x = 1.0 + i;
        for (int k = 0; k < 60; k++)
            x = 0.5 * (x + (1.0 + i) / x);
        check_near("a", i, a[i], x + 2.0 + (i % 2 ? 0.0 : 1.0) + (i - i % 10) + i, 1e-9);
        sum += a[i];
    }
    check_near("sum", 0, all, sum, 1e-9);
    return finish();
}

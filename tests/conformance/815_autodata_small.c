// -gpu=autodata: small allocations and arrays on the stack are copied by each construct, whole where no section is known.
// flags: -gpu=autodata
// needs: runtime
#include "check.h"
#include <stdlib.h>

static void scatter(int *to, const int *at, int n)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        to[at[i]] = i;
}

static void fill(int *to, int n)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        to[i] = 3 * i;
}

int main(void)
{
    int n = 100;
    int *a = malloc(n * sizeof *a), *at = malloc(n * sizeof *at), *b = malloc(4 * n * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = -1;
        at[i] = n - 1 - i;
    }
    for (int i = 0; i < 4 * n; i++)
        b[i] = -2;
    for (int times = 0; times < 3; times++) {
        scatter(a, at, n);
        for (int i = 0; i < n; i++)
            check_int("a", i, a[i], n - 1 - i), a[i] = -1;
    }
    // From the middle of an allocation: the rest of it stays.
    scatter(b + n, at, n);
    fill(b + 3 * n, 10);
    for (int i = 0; i < n; i++) {
        check_int("b", i, b[i], -2);
        check_int("b", n + i, b[n + i], n - 1 - i);
        check_int("b", 3 * n + i, b[3 * n + i], i < 10 ? 3 * i : -2);
    }
    int local[50], variable[n];
    for (int i = 0; i < 50; i++)
        local[i] = -3;
    fill(local, 40);
    fill(variable, n);
#pragma acc parallel loop
    for (int i = 0; i < 40; i++)
        local[i] += variable[at[i]];
    for (int i = 0; i < 50; i++)
        check_int("local", i, local[i], i < 40 ? 3 * i + 3 * (n - 1 - i) : -3);
    int *one = malloc(sizeof *one);
    *one = 5;
    int sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += *one;
    check_int("one", 0, sum, 50);
    // Of each element, some members and columns are written.
    struct { float x[4], y; } *pairs = calloc(n, sizeof *pairs);
    double(*rows)[10] = calloc(n, sizeof *rows), (*all)[10] = calloc(n, sizeof *all);
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        pairs[i].y = i;
        for (int j = 1; j < 9; j++)
            rows[i][j] = i;
        for (int j = 0; j < 10; j++)
            all[i][j] = i;
    }
    for (int i = 0; i < n; i++) {
        check_near("y", i, pairs[i].y, i, 0);
        check_near("x", i, pairs[i].x[2], 0, 0);
        check_near("row", i, rows[i][0] + rows[i][9], 0, 0);
        check_near("row", i, rows[i][1], i, 0);
        check_near("all", i, all[i][0] + all[i][9], 2 * i, 0);
    }
    free(pairs);
    free(rows);
    free(all);
    free(a);
    free(at);
    free(b);
    free(one);
    return finish();
}

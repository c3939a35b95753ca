// Last values: of a variable that starts with the value it replaces, and of nests whose inner loops depend on the outer ones, of
// which not all are joined. `j` below is the counter of a loop that each row runs.
// expect: launches=2
#include "../check.h"

#define N 320

static int k[11][101], bad[N], i, j, x;

static void first_and_last(void)
{
    int value = 31;
#pragma omp target parallel for firstprivate(value) lastprivate(value) map(from: bad)
    for (int at = 0; at < N; at++) {
        bad[at] = value != 31;
        if (at == N - 1)
            value = 29;
    }
    for (int at = 0; at < N; at++)
        check_int("value", at, bad[at], 0);
    check_int("last value", 0, value, 29);
}

static void rows_of_any_length(void)
{
    int count = 0;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(i, j, x) reduction(+: count) map(tofrom: k)
    for (i = 1; i <= 10; i++)
        for (j = 1; j <= 10 * i; j++) {
            k[i][j]++;
            x = i * 1024 + j;
            count++;
        }
    check_int("i", 0, i, 11);
    check_int("j", 0, j, 101);
    check_int("x", 0, x, 10340);
    check_int("count", 0, count, 550);
    count = 0;
    // The last two rows are empty.
#pragma omp target teams distribute parallel for collapse(2) lastprivate(x) reduction(+: count) map(tofrom: k)
    for (i = 1; i <= 10; i++)
        for (j = i; j <= 8; j++) {
            k[i][j]++;
            x = i * 1024 + j;
            count++;
        }
    check_int("x of the last row that has an element", 0, x, 8 * 1024 + 8);
    check_int("count", 1, count, 36);
    int sum = 0;
    for (int a = 0; a < 11; a++)
        for (int b = 0; b < 101; b++)
            sum += k[a][b];
    check_int("sum", 0, sum, 550 + 36);
}

static void statements_between(void)
{
    int y = -1;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(j, y) map(tofrom: k)
    for (int row = 0; row < 10; row++) {
        int twice = 2 * row;
        for (j = 0; j < 100; j++) {
            k[row][j] = twice + j;
            y = twice + j;
        }
    }
    check_int("j", 1, j, 100);
    check_int("y", 0, y, 117);
    for (int at = 0; at < 1000; at++)
        check_int("k", at, k[at / 100][at % 100], at / 100 * 2 + at % 100);
}

int main(void)
{
    first_and_last();
    rows_of_any_length();
    statements_between();
    return finish();
}

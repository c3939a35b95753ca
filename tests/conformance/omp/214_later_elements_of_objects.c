// Only later elements of an array of objects are mapped: by a mapper, and by sections of their members.
#include <stdlib.h>
#include "../check.h"

typedef struct {
    int n, *data;
} Row;
#pragma omp declare mapper(Row row) map(row, row.data[0:row.n])

typedef struct {
    int n;
    double *data;
} Column;

int main(void)
{
    Row rows[4], *some = rows;
    Column columns[3];
    for (int i = 0; i < 4; i++) {
        rows[i].n = i + 2;
        rows[i].data = calloc(i + 2, sizeof(int));
    }
    for (int i = 0; i < 3; i++) {
        columns[i].n = 5;
        columns[i].data = calloc(5, sizeof(double));
    }
#pragma omp target map(tofrom: some[1:2])
    for (int k = 1; k < 3; k++)
        for (int j = 0; j < some[k].n; j++)
            some[k].data[j] = 10 * k + j;
#pragma omp target map(tofrom: rows[1:2])
    for (int k = 1; k < 3; k++)
        for (int j = 0; j < rows[k].n; j++)
            rows[k].data[j]++;
#pragma omp target map(tofrom: columns[1].data[0:5]) map(to: columns[1].n)
    for (int i = 0; i < columns[1].n; i++)
        columns[1].data[i] = i;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < rows[k].n; j++)
            check_int("rows", 10 * k + j, rows[k].data[j], k == 1 || k == 2 ? 10 * k + j + 1 : 0);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 5; i++)
            check_int("columns", 10 * k + i, (int)columns[k].data[i], k == 1 ? i : 0);
    return finish();
}

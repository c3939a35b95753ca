// A clause names an object and a mapper that maps some of its members: the mapper that its type has by default maps nothing.
// expect: launches=2
#include "../check.h"
#include <stdlib.h>

typedef struct {
    int length;
    double *data;
} Row;
#pragma omp declare mapper(Row r) map(r, r.data[0 : r.length])
#pragma omp declare mapper(length : Row r) map(to : r.length) map(alloc : r.data)

int main(void)
{
    Row row = {8, malloc(8 * sizeof(double))};
    int seen = 0;
    for (int i = 0; i < row.length; i++)
        row.data[i] = i;
#pragma omp target map(mapper(length), to : row) map(tofrom : seen)
    {
        seen = row.length;
        row.length = 2;
    }
    check_int("length on the device", 0, seen, 8);
    check_int("length", 0, row.length, 8);
#pragma omp target map(tofrom : row)
    for (int i = 0; i < row.length; i++)
        row.data[i] += 1;
    for (int i = 0; i < 8; i++)
        check_near("data", i, row.data[i], i + 1, 1e-12);
    free(row.data);
    return finish();
}

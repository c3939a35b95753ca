// What a pointer in parentheses leads to, as a list item: OpenMP 5.2 §3.2.1 takes any lvalue expression.
// expect: launches=4
#include "../check.h"
#include <stdlib.h>

typedef struct {
    int n;
    int *data;
} Row;

int main(void)
{
    Row row = {8, malloc(8 * sizeof(int))}, *u = &row;
    for (int i = 0; i < 8; i++)
        u->data[i] = i;

#pragma omp target map(tofrom: *(u->data))
    *(u->data) = 40;
    check_int("member", 0, row.data[0], 40);

#pragma omp target map(tofrom: (*u).data[0 : 8])
    (*u).data[1] += u->data[0];
    check_int("section", 1, row.data[1], 41);

    int *p = row.data;
#pragma omp target map(tofrom: *(p))
    *p += 2;
    check_int("variable", 0, row.data[0], 42);

    int *behind = row.data, **q = &behind;
#pragma omp target map(tofrom: *(*q))
    **q += 2;
    check_int("twice", 0, row.data[0], 44);
    return finish();
}

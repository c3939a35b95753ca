// Copies of each iteration: private, firstprivate, lastprivate, with one loop and with two that are joined; scalars by defaultmap.
// expect: launches=3
#include "../check.h"

#define N 200

static int a[N], b[N];

int main(void)
{
    int base = 100, last = -1, temp = 0, row = -1, column = -1, shared = 0;
#pragma omp target teams distribute parallel for private(temp) firstprivate(base) lastprivate(last)
    for (int i = 0; i < N; i++) {
        temp = 2 * i;
        base += temp;
        a[i] = base;
        last = i;
    }
    check_int("base", 0, base, 100);
    check_int("last", 0, last, N - 1);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 100 + 2 * i);

#pragma omp target teams distribute parallel for collapse(2) lastprivate(row, column)
    for (int i = 0; i < 10; i++)
        for (int j = 18; j >= 0; j -= 2) {
            row = i;
            column = j;
            b[10 * i + j / 2] = i + j;
        }
    check_int("row", 0, row, 9);
    check_int("column", 0, column, 0);
    for (int i = 0; i < 100; i++)
        check_int("b", i, b[i], i / 10 + i % 10 * 2);

#pragma omp target defaultmap(tofrom: scalar)
    shared = base + 1;
    check_int("shared", 0, shared, 101);
#pragma omp target teams distribute parallel for lastprivate(last)
    for (int i = 0; i < 0; i++)
        last = i;
    check_int("last", 1, last, N - 1);
    return finish();
}

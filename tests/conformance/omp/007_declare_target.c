// Variables of the file that live on the device, in each form of the directive, and functions that use them.
// expect: launches=3
#include "../check.h"

#define N 64

#pragma omp declare target
static int table[N];
int scale = 3;
static int look_up(int i)
{
    return scale * table[i];
}
#pragma omp end declare target

#pragma omp begin declare target
static double weights[4] = { 1, 2, 3, 4 };
#pragma omp end declare target

static int offset = 10;
static int shifted(int i);
#pragma omp declare target enter(offset, shifted)
static int shifted(int i)
{
    return i + offset;
}

int main(void)
{
    int a[N];
    double sum = 0;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        table[i] = shifted(i);
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = look_up(i);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 3 * (i + 10));
    check_int("table", 0, table[5], 0);
    scale = 5;
#pragma omp target update to(scale) from(table)
    check_int("table", 1, table[5], 15);
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += weights[i % 4] * look_up(i);
    double want = 0;
    for (int i = 0; i < N; i++)
        want += weights[i % 4] * 5 * (i + 10);
    check_near("sum", 0, sum, want, 1e-12);
    return finish();
}

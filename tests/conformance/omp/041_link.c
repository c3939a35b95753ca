// declare target link: the variable is on the device while it is mapped, also for functions that use it.
// expect: launches=3
// needs: separate
#include "../check.h"

#define N 31

static int table[N], other[N];
#pragma omp declare target link(table, other)

#pragma omp declare target
static int look_up(int i)
{
    return table[i];
}
#pragma omp end declare target

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        table[i] = i;
#pragma omp target data map(to: table)
    {
        table[3] = 1000;
#pragma omp target teams distribute parallel for map(from: a)
        for (int i = 0; i < N; i++)
            a[i] = look_up(i);
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i);
#pragma omp target teams distribute parallel for map(to: table) map(from: other[0:N])
    for (int i = 0; i < N; i++)
        other[i] = 2 * look_up(i);
    for (int i = 0; i < N; i++)
        check_int("other", i, other[i], i == 3 ? 2000 : 2 * i);
#pragma omp target enter data map(to: table)
#pragma omp target map(tofrom: a)
    a[0] = look_up(3) + table[4];
#pragma omp target exit data map(release: table)
    check_int("a", N, a[0], 1004);
    return finish();
}

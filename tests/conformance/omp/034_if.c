// Conditions with and without the name of a directive; those that do not hold leave everything to the host.
// expect: launches=3
// needs: separate
#include "../check.h"

#define N 50

int main(void)
{
    int a[N], b[N], yes = 1, no = 0;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
#pragma omp target data map(tofrom: a) if (target data: yes)
    {
        a[0] = 100;
#pragma omp target if (target: yes) map(tofrom: a)
        a[1] = a[0] + 1;
#pragma omp target teams distribute parallel for if (target: no) map(tofrom: b)
        for (int i = 0; i < N; i++)
            b[i] += a[0];
#pragma omp target teams distribute parallel for if (parallel: no) if (target: yes) map(tofrom: a)
        for (int i = 10; i < N; i++)
            a[i] = -i;
    }
    check_int("a", 0, a[0], 0);
    check_int("a", 1, a[1], 1);
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], i + 100);
    for (int i = 10; i < N; i++)
        check_int("a", i, a[i], -i);

#pragma omp target data map(tofrom: a) if (no)
    {
        a[2] = 7;
#pragma omp target enter data map(to: b) if (target enter data: no)
#pragma omp target map(tofrom: a)
        a[3] = a[2] + 1;
#pragma omp target exit data map(delete: b) if (target exit data: no)
    }
    check_int("a", 2, a[2], 7);
    check_int("a", 3, a[3], 8);
    return finish();
}

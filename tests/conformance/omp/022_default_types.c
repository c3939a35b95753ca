// OpenMP 5.2: without a type, map means `to` on target enter data and `from` on target exit data.
// expect: launches=1 uploads=1 downloads=1
// gcc: rejects, it reads OpenMP 5.0
#include "../check.h"

#define N 50

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target enter data map(a)
#pragma omp target
    for (int i = 0; i < N; i++)
        a[i] *= 2;
#pragma omp target exit data map(a)
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 2 * i);
    // tofrom is `to` at the begin and `from` at the end.
    return finish();
}

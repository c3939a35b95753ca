// Directives inside #if: those of branches not taken do not count, not even malformed ones.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define N 100
#define USE_VECTOR 1

int main(void)
{
    int a[N] = {0};
#if USE_VECTOR
#pragma acc parallel loop vector copy(a)
#else
#pragma acc parallel loop copy(a) no_such_clause(a
#endif
    for (int i = 0; i < N; i++)
        a[i] += 1;

#ifdef NO_SUCH_MACRO
#pragma acc parallel loop create(a)
    for (int i = 0; i < N; i++)
        a[i] = -1;
#elif defined(USE_VECTOR)
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
        a[i] += 2;
#endif
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 3);
    return finish();
}

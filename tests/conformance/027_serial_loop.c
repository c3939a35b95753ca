// serial loop with clauses, and a serial region with several statements and loops.
// expect: launches=2 uploads>=2 downloads>=2
#include "check.h"

#define N 90

int main(void)
{
    int a[N], last = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc serial loop copy(a) copy(last)
    for (int i = 1; i < N; i++) {
        a[i] = a[i - 1] + 2 * a[i];
        last = a[i];
    }
    check_int("last", 0, last, N * (N - 1));
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i * (i + 1));
#pragma acc serial copy(a)
    {
        int largest = a[0];
        for (int i = 1; i < N; i++)
            if (a[i] > largest)
                largest = a[i];
        for (int i = 0; i < N; i++)
            a[i] = largest - a[i];
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], N * (N - 1) - i * (i + 1));
    return finish();
}

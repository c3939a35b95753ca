// Loop variables of other types than int: long, size_t, unsigned, short, unsigned char, int64_t.
// expect: launches=6 uploads=6 downloads=6
#include <stddef.h>
#include <stdint.h>
#include "check.h"

#define N 200

static int a[N];

int main(void)
{
#pragma acc parallel loop copy(a)
    for (long i = 0; i < N; i++)
        a[i] += 1;
#pragma acc parallel loop copy(a)
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        a[i] += 2;
#pragma acc parallel loop copy(a)
    for (unsigned i = 0; i < N; i++)
        a[i] += 4;
#pragma acc parallel loop copy(a)
    for (short i = 0; i < N; i++)
        a[i] += 8;
#pragma acc parallel loop copy(a)
    for (unsigned char i = 0; i < N; i++)
        a[i] += 16;
#pragma acc parallel loop copy(a)
    for (int64_t i = N - 1; i >= 0; i--)
        a[i] += 32;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 63);
    return finish();
}

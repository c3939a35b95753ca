// Loops of 64 unsigned bits whose values pass 2^63, up and down, in steps, in nests, and loops that end at a type's limit: OpenACC 3.3 §2.9.
// expect: launches=15
#include "check.h"
#include <limits.h>
#define N 100
static int a[N];

static void check_ones(const char *what, int count)
{
    for (int i = 0; i < N; i++) {
        check_int(what, i, a[i], i < count);
        a[i] = 0;
    }
}

static void up(unsigned long b, unsigned long n, unsigned long step)
{
#pragma acc parallel loop copy(a)
    for (unsigned long i = b; i < b + n; i++)
        a[i - b]++;
    check_ones("up", 37);
#pragma acc parallel loop copy(a)
    for (unsigned long i = b; i != b + n; i++)
        a[i - b]++;
    check_ones("until it is", 37);
#pragma acc parallel loop copy(a)
    for (unsigned long i = b; i <= b + n; i += step)
        a[(i - b) / 3]++;
    check_ones("up in steps", 13);
#pragma acc parallel loop collapse(2) copy(a)
    for (unsigned long i = b + 9; i < b + 12; i++)
        for (unsigned long j = b + 8; j < b + 13; j++)
            a[(i - b - 9) * 5 + j - b - 8]++;
    check_ones("joined", 15);
}

static void down(unsigned long b, unsigned long n, unsigned long step)
{
#pragma acc parallel loop copy(a)
    for (unsigned long i = b + n; i > b; i--)
        a[i - b - 1]++;
    check_ones("down", 37);
#pragma acc parallel loop copy(a)
    for (unsigned long i = b + n; i-- > b;)
        a[i - b]++;
    check_ones("down in the condition", 37);
#pragma acc parallel loop copy(a)
    for (unsigned long i = b + n; i >= b; i -= step)
        a[(b + n - i) / 3]++;
    check_ones("down in steps", 13);
#pragma acc parallel loop gang copy(a)
    for (unsigned long i = b + 9; i < b + 12; i++) {
#pragma acc loop vector
        for (unsigned long j = b + 13; j > b + 8; --j)
            a[(i - b - 9) * 5 + j - b - 9]++;
    }
    check_ones("by gangs and lanes", 15);
#pragma acc kernels copy(a)
    for (unsigned long i = b + 9; i < b + 12; i++)
        for (unsigned long j = b + 13; j > b + 8; --j)
            a[(i - b - 9) * 5 + j - b - 9]++;
    check_ones("kernels", 15);
}

static void limits(unsigned long far, int late, int low)
{
#pragma acc parallel loop copy(a)
    for (unsigned long i = far; i < ULONG_MAX; i++)
        a[i - far]++;
    check_ones("to the end", 37);
#pragma acc parallel loop copy(a)
    for (unsigned long i = ULONG_MAX; i > far; i--)
        a[i - far - 1]++;
    check_ones("from the end", 37);
#pragma acc parallel loop copy(a)
    for (unsigned long i = far; i < (unsigned long)late; i++)
        a[i - far]++;
    check_ones("none", 0);
#pragma acc parallel loop copy(a)
    for (unsigned long i = 0; i < ULONG_MAX - 10; i += ULONG_MAX / 8)
        a[i / (ULONG_MAX / 8)]++;
    check_ones("all numbers", 8);
#pragma acc parallel loop copy(a)
    for (int i = late; i < INT_MAX; i++)
        a[i - late]++;
    check_ones("int", 37);
#pragma acc parallel loop copy(a)
    for (int i = INT_MIN + 37; i > INT_MIN; i--)
        a[i - INT_MIN - 1]++;
    check_ones("int down", 37);
#pragma acc parallel loop copy(a)
    for (int i = low; i < UINT_MAX - 2; i++)
        a[i + 5]++;
    check_ones("a negative number below an unsigned one", 2);
}

int main(void)
{
    up(LONG_MAX - 10ul, 37, 3);
    down(LONG_MAX - 10ul, 37, 3);
    limits(ULONG_MAX - 37, INT_MAX - 37, -5);
    return finish();
}

// Loops over int and unsigned that end at or near the largest value: neither the threads beyond the last iteration nor
// the stride of a grid may wrap. In one dimension and in the outer of two, with reductions, in steps, downwards.
// expect: launches=11
#include <limits.h>
#include "check.h"

#define N 1000

static int a[N];

static void check(int from, int to, int step)
{
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i >= from && i < to && (i - from) % step == 0 ? i + 1 : 0);
    for (int i = 0; i < N; i++)
        a[i] = 0;
}

int main(void)
{
    int first = INT_MAX - N, last = INT_MAX - 3, count = 0;
#pragma acc parallel loop copy(a)
    for (int i = first; i < last; i++)
        a[i - first] = i - first + 1;
    check(0, N - 3, 1);

#pragma acc parallel loop copy(a)
    for (int i = INT_MAX - N; i < INT_MAX; i++)
        a[i - (INT_MAX - N)] = i - (INT_MAX - N) + 1;
    check(0, N, 1);

#pragma acc parallel loop copy(a) vector_length(96)
    for (int i = first + 2; i <= last - 7; i += 7)
        a[i - first] = i - first + 1;
    check(2, N - 9, 7);

#pragma acc parallel loop reduction(+ : count) copyin(a)
    for (int i = first; i < INT_MAX; i++)
        count += i - first + 1 + a[i - first];
    check_int("count", 0, count, N * (N + 1) / 2);

    unsigned low = UINT_MAX - N, high = UINT_MAX - 1;
#pragma acc parallel loop copy(a)
    for (unsigned i = low; i < high; i++)
        a[i - low] = i - low + 1;
    check(0, N - 1, 1);

#pragma acc parallel loop copy(a)
    for (int i = INT_MIN + N - 1; i >= INT_MIN + 1; i--)
        a[i - INT_MIN] = i - INT_MIN + 1;
    check(1, N, 1);

    // y strides over the grid.
    int rows = INT_MAX, few = 3;
#pragma acc parallel loop collapse(2) copy(a)
    for (int i = rows - N / 4; i < rows; i++)
        for (int j = 0; j < few; j++)
            a[(i - (rows - N / 4)) * 3 + j] = (i - (rows - N / 4)) * 3 + j + 1;
    check(0, N / 4 * 3, 1);

    // Two gang loops in one kernel, then lanes in a gang.
#pragma acc parallel copy(a)
    {
#pragma acc loop gang vector
        for (int i = first; i < last; i++)
            a[i - first] += i - first;
#pragma acc loop gang vector
        for (int i = first; i < last; i++)
            a[i - first] += 1;
    }
    check(0, N - 3, 1);
#pragma acc parallel loop gang num_gangs(3) copy(a)
    for (int g = 0; g < few; g++) {
#pragma acc loop vector
        for (int i = first + g; i < last; i += 3)
            a[i - first] = i - first + 1;
    }
    check(0, N - 3, 1);

    // Large steps.
    long sum = 0;
    int all = INT_MAX - (1 << 21);
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < all; i += 1 << 21)
        sum += i >> 21;
    check_int("sum", 0, sum, 1022L * 1023 / 2);
    short small = 300, total = 0;
#pragma acc parallel loop reduction(+ : total)
    for (short i = 0; i < small; i++)
        total += 1;
    check_int("total", 0, total, 300);
    return finish();
}

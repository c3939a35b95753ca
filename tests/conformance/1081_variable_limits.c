// Loops whose bounds, which only the launch knows, lie at the limits of their type: OpenACC 3.3 §2.9.
// expect: launches=13
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

static void of_long(long low, long high, long step)
{
#pragma acc parallel loop copy(a)
    for (long i = low; i < high; i++)
        a[i - low]++;
    check_ones("long", 37);
#pragma acc parallel loop copy(a)
    for (long i = low; i <= high - step; i += step)
        a[(i - low) / step]++;
    check_ones("long in steps", 12);
#pragma acc parallel loop gang num_gangs(2) copy(a)
    for (long i = low; i != high; i++)
        a[i - low]++;
    check_ones("long by gangs", 37);
#pragma acc parallel loop collapse(2) copy(a)
    for (int j = 0; j < 2; j++)
        for (long i = low; i < high; i++)
            a[(i - low) * 2 + j]++;
    check_ones("joined longs", 74);
    int sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (long i = low; i < high - 1; i += step)
        sum += i - low;
    check_int("sum", 0, sum, 198);
}

static void of_long_down(long low, long high, long step)
{
#pragma acc parallel loop copy(a)
    for (long i = high; i > low; i--)
        a[high - i]++;
    check_ones("long down", 37);
#pragma acc parallel loop copy(a)
    for (long i = high; i >= low + step; i -= step)
        a[(high - i) / step]++;
    check_ones("long down in steps", 12);
}

static void of_unsigned_long(unsigned long low, unsigned long high, unsigned long step)
{
#pragma acc parallel loop copy(a)
    for (unsigned long i = low; i < high; i++)
        a[i - low]++;
    check_ones("unsigned long", 37);
#pragma acc parallel loop copy(a)
    for (unsigned long i = low; i < high - 1; i += step)
        a[(i - low) / step]++;
    check_ones("unsigned long in steps", 12);
}

static void of_large_steps(long low, long high, long step, unsigned long end, unsigned long by)
{
#pragma acc parallel loop copy(a)
    for (long i = low; i < high; i += step)
        a[i / step + 3]++;
    check_ones("all longs", 6);
#pragma acc parallel loop copy(a)
    for (unsigned long i = 0; i < end; i += by)
        a[i / by]++;
    check_ones("all unsigned longs", 8);
}

static void of_int(int low, int high, int step)
{
#pragma acc parallel loop copy(a)
    for (int i = high; i > low + 1; i -= step)
        a[(high - i) / step]++;
    check_ones("int down in steps", 12);
#pragma acc parallel loop collapse(2) copy(a)
    for (int i = high; i > low + 1; i -= step)
        for (int j = 0; j < 2; j++)
            a[(high - i) / step * 2 + j]++;
    check_ones("joined ints", 24);
}

int main(void)
{
    of_long(LONG_MAX - 37, LONG_MAX, 3);
    of_long_down(LONG_MIN, LONG_MIN + 37, 3);
    of_unsigned_long(ULONG_MAX - 37, ULONG_MAX, 3);
    of_large_steps(-3 * (LONG_MAX / 4), 3 * (LONG_MAX / 4), LONG_MAX / 4, ULONG_MAX / 8 * 8, ULONG_MAX / 8);
    of_int(INT_MIN, INT_MIN + 37, 3);
    return finish();
}

// Loops of 64 bits over rows whose ends, which only the device knows, lie at the limits of their type: OpenACC 3.3 §2.9.
// Lanes beyond a row's end would pass the largest number, and find themselves inside again.
// expect: launches=6
#include "check.h"
#include <limits.h>
#define ROWS 4
#define N 100
static int a[ROWS * N];
static long low[ROWS], high[ROWS];
static unsigned long from[ROWS], to[ROWS];

static void check_ones(const char *what, int count)
{
    for (int i = 0; i < ROWS * N; i++) {
        check_int(what, i, a[i], i % N < count);
        a[i] = 0;
    }
}

int main(void)
{
    for (int r = 0; r < ROWS; r++) {
        low[r] = LONG_MAX - 37;
        high[r] = LONG_MAX;
        from[r] = ULONG_MAX - 37;
        to[r] = ULONG_MAX;
    }
    // Between two barriers no lane has a row for itself.
#pragma acc parallel loop gang vector_length(64) copy(a) copyin(low, high)
    for (int r = 0; r < ROWS; r++) {
        long first = low[r];
#pragma acc loop vector
        for (long i = first; i < high[r]; i++)
            a[r * N + (i - first)]++;
#pragma acc loop vector
        for (long i = first; i < high[r]; i++)
            a[r * N + 36 - (i - first)]++;
    }
    for (int i = 0; i < ROWS * N; i++) {
        check_int("two loops of a gang", i, a[i], i % N < 37 ? 2 : 0);
        a[i] = 0;
    }
#pragma acc parallel loop gang vector_length(64) copy(a) copyin(low, high)
    for (int r = 0; r < ROWS; r++)
#pragma acc loop vector
        for (long i = low[r]; i <= high[r] - 3; i += 3)
            a[r * N + (i - low[r]) / 3]++;
    check_ones("long in steps", 12);
#pragma acc parallel loop gang num_workers(2) vector_length(32) copy(a) copyin(from, to)
    for (int r = 0; r < ROWS; r++)
#pragma acc loop worker vector
        for (unsigned long i = from[r]; i < to[r]; i++)
            a[r * N + (i - from[r])]++;
    check_ones("unsigned long", 37);
#pragma acc parallel loop gang num_workers(2) vector_length(32) copy(a) copyin(from, to)
    for (int r = 0; r < ROWS; r++)
#pragma acc loop worker
        for (unsigned long i = from[r]; i < to[r]; i++)
            a[r * N + (i - from[r])]++;
    check_ones("unsigned long by workers", 37);
    for (int r = 0; r < ROWS; r++) {
        low[r] = LONG_MIN;
        high[r] = LONG_MIN + 37;
    }
#pragma acc parallel loop gang vector_length(64) copy(a) copyin(low, high)
    for (int r = 0; r < ROWS; r++)
#pragma acc loop vector
        for (long i = high[r]; i > low[r]; i--)
            a[r * N + (high[r] - i)]++;
    check_ones("long down", 37);
    long sum = 0;
#pragma acc parallel loop gang vector_length(64) copyin(low, high) reduction(+ : sum)
    for (int r = 0; r < ROWS; r++)
#pragma acc loop vector reduction(+ : sum)
        for (long i = high[r]; i > low[r]; i--)
            sum += high[r] - i;
    check_int("sum", 0, sum, ROWS * 37 * 36 / 2);
    return finish();
}

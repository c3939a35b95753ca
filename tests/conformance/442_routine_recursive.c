// routine seq: functions that call themselves, directly and through each other. OpenCL C has no recursion.
// devices: cpu cuda
// expect: launches=3
#include "check.h"

#define N 200

#pragma acc routine seq
static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

#pragma acc routine seq
static int is_odd(int n);

static int is_even(int n)
{
    return n == 0 || is_odd(n - 1);
}

static int is_odd(int n)
{
    return n != 0 && is_even(n - 1);
}

/* Hands pointers on, to an array of the construct and to one of its caller's. */
static int depth(const int *parents, int at, int *steps)
{
    ++*steps;
    return parents[at] == at ? 0 : 1 + depth(parents, parents[at], steps);
}

int main(void)
{
    int numbers[20], even[N], parents[N], depths[N];
    for (int i = 0; i < N; i++)
        parents[i] = i / 2;
#pragma acc parallel loop copyout(numbers)
    for (int i = 0; i < 20; i++)
        numbers[i] = fibonacci(i);
#pragma acc parallel loop copyout(even)
    for (int i = 0; i < N; i++)
        even[i] = is_even(i % 16);
#pragma acc parallel loop copyin(parents) copyout(depths)
    for (int i = 0; i < N; i++) {
        int steps = 0;
        depths[i] = depth(parents, i, &steps);
        depths[i] += 100 * steps;
    }
    for (int i = 0; i < 20; i++)
        check_int("numbers", i, numbers[i], fibonacci(i));
    for (int i = 0; i < N; i++) {
        int steps = 0, level = depth(parents, i, &steps);
        check_int("even", i, even[i], i % 2 == 0);
        check_int("depths", i, depths[i], level + 100 * steps);
    }
    return finish();
}

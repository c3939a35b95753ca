// What is present and cannot be written, or was left by a function that has ended, does not disturb constructs that the host runs.
// needs: separate
// expect: launches=1
#include "check.h"

static const int powers[4] = {1, 10, 100, 1000};

static int plus(int a, int b) { return a + b; }

static void leaves_something(void)
{
    volatile int forgotten[2000];
    for (int i = 0; i < 2000; i++)
        forgotten[i] = i;
#pragma acc enter data copyin(forgotten)
}

static int runs_one(int (*volatile add)(int, int), int *a)
{
    volatile int here[2000];
    for (int i = 0; i < 2000; i++)
        here[i] = 5;
#pragma acc serial copy(a[0:4])
    for (int i = 0; i < 4; i++)
        a[i] = add(a[i], powers[i]);
    int same = 1;
    for (int i = 0; i < 2000; i++)
        same &= here[i] == 5;
    return same;
}

int main(void)
{
    int a[4] = {1, 2, 3, 4};
#pragma acc data copyin(powers) copy(a)
    {
        a[0] = 50;
#pragma acc parallel loop
        for (int i = 0; i < 4; i++)
            a[i] += powers[i];
        check_true("here", runs_one(plus, a));
    }
    for (int i = 0; i < 4; i++)
        check_int("a", i, a[i], i + 1 + 2 * powers[i]);
    leaves_something();
    return finish();
}

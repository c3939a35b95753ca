// A loop's bound that is present on the device and that a construct the host runs has changed there.
#include "../check.h"

static int plus(int a, int b) { return a + b; }
static int (*volatile add)(int, int) = plus;

#pragma omp declare target
static int length = 4;
#pragma omp end declare target

int main(void)
{
    int n = 4, a[100] = {0}, b[100] = {0};
#pragma omp target data map(tofrom: a, b) map(to: n)
    {
#pragma omp target map(tofrom: n)
        n = add(49, 1);
#pragma omp target teams distribute parallel for map(tofrom: n)
        for (int i = 0; i < n; i++)
            a[i] = 1;
#pragma omp target map(always, to: length)
        length = add(59, 1);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < length; i++)
            b[i] = 1;
    }
    int sums[2] = {0, 0};
    for (int i = 0; i < 100; i++) {
        sums[0] += a[i];
        sums[1] += b[i];
    }
    check_int("a local variable", 0, sums[0], 50);
    check_int("a variable of the file", 0, sums[1], 60);
    return finish();
}

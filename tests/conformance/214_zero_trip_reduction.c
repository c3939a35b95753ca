// Reductions over loops of no iteration, and of one, keep or join the start value.
// expect: launches<=6
#include "check.h"

static void run(int n, const int *a, int want_sum, int want_largest)
{
    int sum = 17, product = 3, largest = -9;
#pragma acc parallel loop reduction(+ : sum) copyin(a[0:1])
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma acc parallel loop reduction(* : product) copyin(a[0:1])
    for (int i = 0; i < n; i++)
        product *= a[i];
#pragma acc parallel loop reduction(max : largest) copyin(a[0:1])
    for (int i = 0; i < n; i++)
        if (a[i] > largest)
            largest = a[i];
    check_int("sum", n, sum, want_sum);
    check_int("product", n, product, n ? 3 * a[0] : 3);
    check_int("largest", n, largest, want_largest);
}

int main(void)
{
    int a[1] = {-4};
    run(0, a, 17, -9);
    run(1, a, 13, -4);
    return finish();
}

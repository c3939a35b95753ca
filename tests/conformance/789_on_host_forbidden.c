// Where offloading is mandatory a construct that the host would have to run ends the program.
// flags: -fopenmp
// env: OMP_TARGET_OFFLOAD=mandatory
// needs: runtime
// expect-exit: nonzero
// expect-stderr: ACCL0812.*OMP_TARGET_OFFLOAD is mandatory, but the host would run this construct
#include <stdio.h>

static int plus(int a, int b) { return a + b; }

int main(void)
{
    int (*volatile add)(int, int) = plus;
    int sum = 0;
#pragma omp target map(tofrom: sum)
    sum = add(sum, 1);
    printf("FAIL %d\n", sum);
    return 0;
}

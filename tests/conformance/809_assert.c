// An assertion in a routine that fails ends the program, as on the host; those that hold do nothing, nor keep loops from
// running in parallel.
// expect-exit: 134
// expect-stderr: assertion|Assertion
// expect: launches=2
#include <assert.h>
#include <stdio.h>

static int checked(const int *a, int i, int n)
{
    assert(i >= 0 && i < n);
    return a[i];
}

int main(void)
{
    enum { N = 100 };
    int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc kernels copyin(a) copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = checked(a, i, N);
    if (b[N - 1] != N - 1)
        return 1;
#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < N; i++)
        b[i] = checked(a, i, i == 40 ? 3 : N);
    printf("FAIL the assertion did not end the program\n");
    return 1;
}

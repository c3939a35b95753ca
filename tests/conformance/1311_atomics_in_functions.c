// Scalars that only the atomic operations of called functions touch: the iterations run side by side.
// expect: launches=2
// expect-remark: 28, #pragma acc loop gang, vector
// expect-remark: 36, #pragma acc loop gang, vector
#include "check.h"

#define N 300

#pragma acc routine seq
static int next(int *counter)
{
    int at;
#pragma acc atomic capture
    {
        at = *counter;
        *counter += 1;
    }
    return at;
}

#pragma acc routine seq
static int next_if(int wanted, int *counter) { return wanted ? next(counter) : -1; }

int main(void)
{
    int queue[N], even[N], used = 0, evens = 0;
#pragma acc parallel loop copyout(queue) copy(used)
    for (int i = 0; i < N; i++)
        queue[next(&used)] = i;
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += queue[i];
    check_int("sum", 0, sum, N * (N - 1) / 2);
    check_int("used", 0, used, N);
#pragma acc parallel loop copy(even, evens)
    for (int i = 0; i < N; i++) {
        int at = next_if(i % 2 == 0, &evens);
        if (at >= 0)
            even[at] = i;
    }
    sum = 0;
    for (int i = 0; i < N / 2; i++)
        sum += even[i];
    check_int("sum of evens", 0, sum, N / 2 * (N / 2 - 1));
    check_int("evens", 0, evens, N / 2);
    return finish();
}

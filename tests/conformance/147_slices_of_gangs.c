// Loops of one construct that write different slices of an array use nothing of each other: the construct stays one launch, with as
// many gangs as suit it. Slices that an iteration chooses are in the way, as before.
// expect: launches=4
#include "check.h"

#define N 1000

static int two[2][N], three[3][N], count[N];

int main(void)
{
    int t = 3;
#pragma acc parallel copyout(two)
    {
        int w = 2 * t;
#pragma acc loop
        for (int i = 0; i < N; i++)
            two[0][i] = i + w;
#pragma acc loop
        for (int i = N - 1; i >= 0; i--)
            two[1][i] = 2 * i + w;
    }
    for (int i = 0; i < N; i++) {
        check_int("first", i, two[0][i], i + 6);
        check_int("second", i, two[1][i], 2 * i + 6);
    }

    /* Slices that lie side by side. */
#pragma acc parallel copyout(three) copyin(t)
    {
        int w = 5;
#pragma acc loop
        for (int i = 0; i < N; i++)
            three[t - 2][i] = i * w;
#pragma acc loop
        for (int i = 1; i < N; i++)
            three[t - 1][i] = i;
#pragma acc loop gang vector
        for (int i = N - 1; i >= 0; i--)
            three[t - 3][i] = -i;
    }
    for (int i = 1; i < N; i++) {
        check_int("slice 0", i, three[0][i], -i);
        check_int("slice 1", i, three[1][i], 5 * i);
        check_int("slice 2", i, three[2][i], i);
    }

    /* The second loop reads what other gangs write in the first. */
#pragma acc parallel copy(two, count)
    {
#pragma acc loop
        for (int i = 0; i < N; i++)
            two[1][i] = i;
#pragma acc loop
        for (int i = 0; i < N; i++)
            count[i] = two[i % 2][N - 1 - i];
    }
    for (int i = 0; i < N; i++)
        check_int("read", i, count[i], i % 2 ? N - 1 - i : N - 1 - i + 6);
    return finish();
}

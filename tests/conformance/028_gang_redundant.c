// Statements of a parallel region outside loops are executed by every gang: private results feed
// the work-shared loop.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 444

int main(void)
{
    int table[8], out[N];
    for (int i = 0; i < 8; i++)
        table[i] = 3 * i;
#pragma acc parallel num_gangs(6) vector_length(32) copyin(table) copyout(out)
    {
        int total = 0;
        for (int i = 0; i < 8; i++)
            total += table[i];
        int half = total / 2;
#pragma acc loop gang vector
        for (int i = 0; i < N; i++)
            out[i] = total * i + half;
    }
    for (int i = 0; i < N; i++)
        check_int("out", i, out[i], 84 * i + 42);
    return finish();
}

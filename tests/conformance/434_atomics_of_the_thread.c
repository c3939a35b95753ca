// Atomics on variables that a thread or a gang has for itself, and captures into variables of another type.
// expect: launches=3
#include "check.h"

#define N 200

int main(void)
{
    int own = 0, old[N], seen = 0;
    long counter = 0;
    float total = 0;
    double after[N];
#pragma acc parallel loop reduction(+:own)
    for (int i = 0; i < N; i++) {
        int v = -7, before;
#pragma acc loop seq
        for (int j = 0; j < 11; j++) {
#pragma acc atomic update
            v++;
        }
#pragma acc atomic capture
        { before = v; v += i; }
        own += v == 4 + i && before == 4;
    }
    check_int("of the thread", 0, own, N);

#pragma acc parallel num_gangs(3) vector_length(32) reduction(+:seen)
    {
        int w = -22;
#pragma acc loop vector
        for (int i = 0; i < N; i++) {
#pragma acc atomic update
            w++;
        }
        seen += w == N - 22;
    }
    check_int("of the gang", 0, seen > 0, 1);

#pragma acc parallel loop copy(counter, total) copyout(old, after)
    for (int i = 0; i < N; i++) {
#pragma acc atomic capture
        old[i] = counter++;
#pragma acc atomic capture
        { total += 2; after[i] = total; }
    }
    long sum = 0;
    double reached = 0;
    for (int i = 0; i < N; i++) {
        sum += old[i];
        reached += after[i];
    }
    check_int("long into int", 0, sum, N * (N - 1) / 2);
    check_near("float into double", 0, reached, N * (N + 1.0), 0);
    return finish();
}

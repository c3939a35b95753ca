// atomic capture in its forms: each thread gets a ticket of its own, in whatever order.
// expect: launches=1 uploads>=1 downloads>=1
#include "check.h"

#define N 700
#define FORMS 10

int main(void)
{
    static int tickets[FORMS][N];
    int next[FORMS] = {0};
    int seen[N];
    next[2] = next[3] = N;
#pragma acc parallel loop copy(next) copyout(tickets)
    for (int i = 0; i < N; i++) {
        int v;
#pragma acc atomic capture
        v = next[0]++;
        tickets[0][i] = v;
#pragma acc atomic capture
        v = ++next[1];
        tickets[1][i] = v - 1;
#pragma acc atomic capture
        v = next[2]--;
        tickets[2][i] = v - 1;
#pragma acc atomic capture
        v = --next[3];
        tickets[3][i] = v;
#pragma acc atomic capture
        v = next[4] += 3;
        tickets[4][i] = v / 3 - 1;
#pragma acc atomic capture
        v = next[5] = next[5] + 2;
        tickets[5][i] = v / 2 - 1;
#pragma acc atomic capture
        {
            v = next[6];
            next[6]++;
        }
        tickets[6][i] = v;
#pragma acc atomic capture
        {
            next[7] += 5;
            v = next[7];
        }
        tickets[7][i] = v / 5 - 1;
#pragma acc atomic capture
        {
            v = next[8];
            next[8] = next[8] + 1;
        }
        tickets[8][i] = v;
#pragma acc atomic capture
        {
            v = next[9];
            next[9] = i + 1;
        }
        tickets[9][i] = v;
    }
    for (int f = 0; f < FORMS; f++) {
        for (int i = 0; i < N; i++)
            seen[i] = 0;
        for (int i = 0; i < N; i++)
            if (tickets[f][i] >= 0 && tickets[f][i] < N)
                seen[tickets[f][i]]++;
        /* An exchange hands on each value written but the last. */
        if (f == 9)
            seen[next[9] % N] += next[9] < N;
        for (int i = 0; i < N; i++)
            check_int("seen", f * N + i, seen[i], 1);
    }
    return finish();
}

// Captures whose second statement names what the first one read: `{ v = x; x = v + 1; }` is one update of `x`.
// expect: launches=1
#include "check.h"

#define N 50

int main(void)
{
    int count = 0, flip = 100, sum = 0, flips = 0;
    int old[N];
    float halves = 1024;
#pragma acc parallel loop copy(count, flip, halves) copyout(old) reduction(+ : sum, flips)
    for (int i = 0; i < N; i++) {
        int v, w;
        float h;
#pragma acc atomic capture
        {
            v = count;
            count = v + 2;
        }
#pragma acc atomic capture
        {
            w = flip;
            flip = 3 - w;
        }
#pragma acc atomic capture
        {
            h = halves;
            halves = h - 1.0f;
        }
        sum += v;
        flips += w;
        old[i] = h;
    }
    check_int("count", 0, count, 2 * N);
    check_int("sum of old values", 0, sum, N * (N - 1));
    check_int("flip", 0, flip, 100);
    check_int("sum of flips", 0, flips, N / 2 * 100 + N / 2 * -97);
    check_near("halves", 0, halves, 1024 - N, 0);
    int total = 0;
    for (int i = 0; i < N; i++)
        total += old[i];
    check_int("old halves", 0, total, N * 1024 - N * (N - 1) / 2);
    return finish();
}

// `lastprivate(conditional: …)`: the value that the last iteration gave that gave one, OpenMP 5.2 §5.4.5.
// expect: launches=3
#include "../check.h"

#define N 512

int main(void)
{
    int key[N];
    for (int i = 0; i < N; i++)
        key[i] = (i * 7) % N;

    int last = -1, none = 17;
#pragma omp target teams distribute parallel for lastprivate(conditional: last, none) map(tofrom: last, none)
    for (int i = 0; i < N; i++) {
        if (key[i] < 10)
            last = i;
        if (key[i] > N)
            none = i;
    }

    int found = -1;
#pragma omp target parallel for simd lastprivate(conditional: found) map(tofrom: found)
    for (int i = 0; i < N; i++)
        if (key[i] > 300)
            found = key[i];

    int plain = 0, both = 0;
#pragma omp target map(tofrom: plain, both)
#pragma omp parallel for lastprivate(plain) lastprivate(conditional: both)
    for (int i = 0; i < N; i++) {
        plain = key[i];
        if (i % 5 == 0)
            both = plain;
    }

    int last_1 = -1, found_1 = -1, both_1 = 0;
    for (int i = 0; i < N; i++) {
        if (key[i] < 10)
            last_1 = i;
        if (key[i] > 300)
            found_1 = key[i];
        if (i % 5 == 0)
            both_1 = key[i];
    }
    check_int("last", 0, last, last_1);
    check_int("none", 0, none, 17);
    check_int("found", 0, found, found_1);
    check_int("plain", 0, plain, key[N - 1]);
    check_int("both", 0, both, both_1);
    return finish();
}

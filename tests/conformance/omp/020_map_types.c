// Every type of map on a construct: what comes to the device, what goes back, and what does neither.
// expect: launches=4 uploads=3 downloads=4
// needs: separate
#include "../check.h"

#define N 129

static int in[N], out[N], both[N], scratch[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = i, out[i] = -1, both[i] = 10 * i, scratch[i] = 7;
#pragma omp target teams distribute parallel for map(to: in) map(from: out) map(tofrom: both) map(alloc: scratch)
    for (int i = 0; i < N; i++) {
        scratch[i] = 2 * in[i];
        in[i] = -5;
        out[i] = scratch[i] + 1;
        both[i] += scratch[i];
    }
    for (int i = 0; i < N; i++) {
        check_int("in", i, in[i], i);
        check_int("out", i, out[i], 2 * i + 1);
        check_int("both", i, both[i], 12 * i);
        check_int("scratch", i, scratch[i], 7);
    }

    // Without a type it is tofrom.
#pragma omp target map(both)
    for (int i = 0; i < N; i++)
        both[i]++;
    for (int i = 0; i < N; i++)
        check_int("both", N + i, both[i], 12 * i + 1);

    // `release` and `delete` end what `enter data` began; nothing travels.
#pragma omp target enter data map(alloc: scratch) map(alloc: out)
#pragma omp target
    for (int i = 0; i < N; i++)
        scratch[i] = out[i] = 99;
#pragma omp target exit data map(release: scratch)
#pragma omp target exit data map(delete: out)
    for (int i = 0; i < N; i++) {
        check_int("scratch", N + i, scratch[i], 7);
        check_int("out", N + i, out[i], 2 * i + 1);
    }
#pragma omp target map(from: out)
    for (int i = 0; i < N; i++)
        out[i] = i;
    check_int("out", 2 * N, out[N - 1], N - 1);
    return finish();
}

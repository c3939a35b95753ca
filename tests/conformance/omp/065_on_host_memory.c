// Constructs that cannot be translated run on the host with what the device has: the host's own contents may be stale, and are the
// same afterwards. `map(to:)` changes nothing on the host, `map(alloc:)` holds what kernels left there.
// sources: parts/065_second.c
// needs: separate
// expect: launches=2
// expect-stderr: run construct on host .* line=39
#include "../check.h"

#define N 100

void add_to_all(int *p, int n, int value);
int twice(int x);

static int values[N], scratch[N], sums[N], untouched[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        values[i] = i;
        untouched[i] = 3 * i;
    }
#pragma omp target data map(to: values) map(alloc: scratch)
    {
#pragma omp target parallel for
        for (int i = 0; i < N; i++)
            scratch[i] = values[i] + 1;
        for (int i = 0; i < N; i++)
            values[i] = -i;
#pragma omp target data map(from: sums) map(tofrom: untouched)
        {
            for (int i = 0; i < N; i++)
                untouched[i] = 7;
#pragma omp target
            {
                add_to_all(values, N, 1000);
                add_to_all(scratch, N / 2, 500);
            }
            /* Mapped as a part of what is there, and by rule. */
#pragma omp target map(tofrom: values[10:20])
            {
                values[10] = twice(values[10]);
                scratch[99] = twice(scratch[99]);
            }
#pragma omp target parallel for
            for (int i = 0; i < N; i++)
                sums[i] = values[i] + scratch[i];
        }
        for (int i = 0; i < N; i++) {
            check_int("stale", i, values[i], -i);
            check_int("scratch", i, scratch[i], 0);
            check_int("untouched", i, untouched[i], 3 * i);
        }
    }
    for (int i = 0; i < N; i++) {
        const int value = i == 10 ? 2 * (i + 1000) : i + 1000;
        const int temporary = i == 99 ? 2 * (i + 1) : i < N / 2 ? i + 501 : i + 1;
        check_int("sums", i, sums[i], value + temporary);
        check_int("values", i, values[i], -i);
    }
    return finish();
}

// Updates that C computes in another type than that of the variable; and a conversion that the user makes.
// expect: launches=3 uploads>=1 downloads>=1
#include "check.h"

#define N 64

int main(void)
{
    int x = 0, half = 1000, scaled = 7, below = -5, parts = 2000000000, odd[4] = {0, 0, 0, 0};
    float single = 0;
    unsigned wrapped = 4000000000u;
#pragma acc parallel loop copy(x, half, scaled, below, parts, single)
    for (int i = 0; i < 1; i++) {
#pragma acc atomic
        x += 2.75;
#pragma acc atomic
        half = half / 2.5;
#pragma acc atomic
        scaled = 1.5 * scaled;
#pragma acc atomic
        below += 2.75;
#pragma acc atomic
        parts /= 3000000000L;
#pragma acc atomic
        single += 0.1;
    }
    check_int("x", 0, x, 2);
    check_int("half", 0, half, 400);
    check_int("scaled", 0, scaled, 10);
    check_int("below", 0, below, -2);
    check_int("parts", 0, parts, 0);
    check_near("single", 0, single, 0.1f, 1e-7);

#pragma acc parallel loop copy(odd, wrapped)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        odd[i & 3] += i * 0.5f;
#pragma acc atomic
        wrapped += 10000000L;
    }
    /* Each addition drops the half of an odd number. */
    for (int k = 0; k < 4; k++) {
        int want = 0;
        for (int i = k; i < N; i += 4)
            want += i / 2;
        check_int("odd", k, odd[k], want);
    }
    check_int("wrapped", 0, wrapped, (unsigned)(4000000000u + N * 10000000L));

    int before[N], sum = 0;
#pragma acc parallel loop copy(sum) copyout(before)
    for (int i = 0; i < N; i++) {
#pragma acc atomic capture
        before[i] = sum += 1.5;
    }
    check_int("sum", 0, sum, N);
    long all = 0;
    for (int i = 0; i < N; i++)
        all += before[i];
    check_int("captured", 0, all, N * (N + 1) / 2);
    return finish();
}

// Atomic updates of a thread's own variable through a pointer, in a loop and in a function that is also given what threads share.
// expect: launches=2
#include "../check.h"

#define N 64

#pragma omp declare target
static int add(int *place, int value)
{
    int old;
#pragma omp atomic capture
    {
        old = *place;
        *place += value;
    }
    return old;
}
#pragma omp end declare target

int main(void)
{
    int out[N], total = 0;
    double scaled[N];
    long long wide[N];
#pragma omp target teams distribute parallel for map(from : out, scaled, wide)
    for (int i = 0; i < N; i++) {
        int own = i, old, *p = &own;
        double d = i, *q = &d;
        long long w = 1LL << 40, *r = &w;
#pragma omp atomic
        *p += 3;
#pragma omp atomic capture
        {
            old = *p;
            *p = *p * 2;
        }
#pragma omp atomic
        *q *= 0.5;
#pragma omp atomic
        *r -= i;
#pragma omp atomic write
        *q = d + 1;
        out[i] = own + 1000 * old;
        scaled[i] = d;
        wide[i] = w;
    }
    for (int i = 0; i < N; i++) {
        check_int("out", i, out[i], (i + 3) * 2 + 1000 * (i + 3));
        check_near("scaled", i, scaled[i], i * 0.5 + 1, 0);
        check_int("wide", i, wide[i], (1LL << 40) - i);
    }
#pragma omp target teams distribute parallel for map(from : out) map(tofrom : total)
    for (int i = 0; i < N; i++) {
        int own = i;
        out[i] = add(&own, 5) * 1000 + own;
        add(&total, i);
    }
    for (int i = 0; i < N; i++)
        check_int("own", i, out[i], i * 1000 + i + 5);
    check_int("total", 0, total, N * (N - 1) / 2);
    return finish();
}

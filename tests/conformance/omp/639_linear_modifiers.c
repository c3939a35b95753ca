// `linear(val(i): step)`, as it was written before OpenMP 5.2, and as it is since.
// expect: launches=2
#include "../check.h"

#define N 40

int main(void)
{
    int before[N], since[N], j = 3, k = 5;
#pragma omp target parallel for linear(val(j) : 2) map(from : before) map(tofrom : j)
    for (int i = 0; i < N; i++) {
        before[i] = j;
        j += 2;
    }
#pragma omp target parallel for linear(k : val, step(3)) map(from : since) map(tofrom : k)
    for (int i = 0; i < N; i++) {
        since[i] = k;
        k += 3;
    }
    for (int i = 0; i < N; i++) {
        check_int("before", i, before[i], 3 + 2 * i);
        check_int("since", i, since[i], 5 + 3 * i);
    }
    return finish();
}

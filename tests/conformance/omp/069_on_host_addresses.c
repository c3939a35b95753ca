// Addresses of the device's memory in a construct that the host runs: a cpu's memory the host can reach.
// devices: cpu
// needs: runtime
// expect: launches=1
#include <omp.h>
#include "../check.h"

#define N 16

static int plus(int a, int b) { return a + b; }

int main(void)
{
    int (*volatile add)(int, int) = plus;
    int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
    int *d = omp_target_alloc(sizeof a, omp_get_default_device());
    omp_target_memcpy(d, a, sizeof a, 0, 0, omp_get_default_device(), omp_get_initial_device());
#pragma omp target is_device_ptr(d)
    for (int i = 0; i < N; i++)
        d[i] = add(d[i], 100);
    omp_target_memcpy(a, d, sizeof a, 0, 0, omp_get_initial_device(), omp_get_default_device());
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i + 100);
    omp_target_free(d, omp_get_default_device());

    int *p = b, changed = 0;
#pragma omp target data map(tofrom: b) use_device_ptr(p)
    {
#pragma omp target is_device_ptr(p) map(tofrom: changed)
        {
            for (int i = 1; i < N; i += 2)
                *(p + i) = add(p[i], 200);
            changed = add(p[1], 0);
        }
#pragma omp target
        for (int i = 0; i < N; i += 2)
            b[i] += 300;
    }
    check_int("changed", 0, changed, 201);
    for (int i = 0; i < N; i++)
        check_int("b", i, b[i], i + (i % 2 ? 200 : 300));
    return finish();
}

// Arrays of variable length that each thread has: neither CUDA nor OpenCL C has these, so the cpu runs the construct with what is
// present on the device.
// expect: launches=3
#include "../check.h"
#define N 64

static void run(int n)
{
    int v[n], a[N];
    for (int i = 0; i < n; i++)
        v[i] = i;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target data map(tofrom : a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] *= 2;
        int sum = 0;
#pragma omp target private(v) map(tofrom : sum)
        {
            for (int i = 0; i < n; i++)
                v[i] = a[i];
            for (int i = 0; i < n; i++) {
                a[i] += v[n - 1 - i];
                sum += v[i];
            }
        }
        check_int("sum", 0, sum, n * (n - 1));
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i < n ? 2 * (n - 1) + 1 : 2 * i + 1);
    for (int i = 0; i < n; i++)
        check_int("v", i, v[i], i);
}

int main(void)
{
    run(7);
    return finish();
}

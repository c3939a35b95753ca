// fcw: windows of more shared memory than every device has, which the launch asks for.
// devices: cpu cuda
// env: ACCL_RESIDENT_THREADS=1
// expect: launches=2
#include "check.h"

#define N 3000
#define B 1024

static double a[8 * N], b[N];
static int c[N], d[N];

int main(void)
{
    for (int i = 0; i < 8 * N; i++)
        a[i] = i % 19;
    for (int i = 0; i < N; i++)
        c[i] = i % 23;
#pragma acc data copyin(a, c) copyout(b, d)
    {
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_ONLY(a[8 * i:0:7], c[i:1:0])
            {
                double sum = 0.0;
                for (int j = 0; j < 8; j++)
                    sum += a[8 * i + j];
                b[i] = sum + (i > 0 ? c[i - 1] : 0);
            }
        }
        /* One that is small, in the same file. */
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_ONLY(c[i:0:0])
            d[i] = c[i] + 1;
        }
    }
    for (int i = 0; i < N; i++) {
        double sum = i > 0 ? (i - 1) % 23 : 0;
        for (int j = 0; j < 8; j++)
            sum += (8 * i + j) % 19;
        check_near("b", i, b[i], sum, 0);
        check_int("d", i, d[i], i % 23 + 1);
    }
    return finish();
}

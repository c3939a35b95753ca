// Names declared again in inner scopes: loop variables, locals that hide globals and parameters,
// several declarators in one declaration.
// expect: launches=2 uploads=1 downloads=2
#include "check.h"

#define N 65

static int value = 1000;

static void run(int i, const int *a, int *out)
{
#pragma acc parallel loop copyin(a[0:N]) copyout(out[0:N])
    for (int i = 0; i < N; i++) {
        int x = a[i], *p = &x, y[2] = {x, x + 1};
        {
            int x = 5 * i;
            *p += x;
            {
                int value = x + y[1];
                x = value;
            }
            y[0] += x;
        }
        for (int i = 0; i < 3; i++) {
            int x = i;
            y[1] += x * value;
        }
        out[i] = x + y[0] + y[1];
    }
#pragma acc parallel loop copyout(out[N:N])
    for (int k = N; k < 2 * N; k++)
        out[k] = i + k;
}

int main(void)
{
    int a[N], out[2 * N];
    for (int i = 0; i < N; i++)
        a[i] = i * i;
    run(7, a, out);
    for (int i = 0; i < N; i++) {
        int x = i * i;
        check_int("out", i, out[i], x + 5 * i + x + 5 * i + x + 1 + x + 1 + 3000);
        check_int("out", N + i, out[N + i], 7 + N + i);
    }
    return finish();
}

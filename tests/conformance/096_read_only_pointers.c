// expect: launches=1
// A pointer set to an element of one of two arrays that the kernel only reads.
#include "check.h"

enum { N = 64 };
struct row { double v[4]; };

static void f(int n, double *o, double *a, struct row *s)
{
#pragma acc parallel loop copyout(o[0:n]) copyin(a[0:4 * n], s[0:n])
    for (int i = 0; i < n; i++) {
        double *p = i & 1 ? s[i].v : &a[i * 4];
        o[i] = p[0] + p[3];
    }
}

int main(void)
{
    double o[N], a[4 * N];
    struct row s[N];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 4; k++)
            a[4 * i + k] = i + k, s[i].v[k] = 10 * i - k;
    f(N, o, a, s);
    for (int i = 0; i < N; i++)
        check_near("o", i, o[i], i & 1 ? 20 * i - 3 : 2 * i + 3, 0);
    return finish();
}

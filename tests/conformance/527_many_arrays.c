// A kernel with many arrays and scalars of all types as arguments.
// expect: launches=1 uploads=11 downloads=1
#include "check.h"

#define N 52

int main(void)
{
    char a[N];
    unsigned char b[N];
    short c[N];
    unsigned short d[N];
    int e[N];
    unsigned f[N];
    long g[N];
    unsigned long h[N];
    float k[N];
    double l[N];
    long long m[N];
    double out[N];
    char sa = 1;
    unsigned char sb = 200;
    short sc = -300;
    unsigned short sd = 60000;
    int se = -70000;
    unsigned sf = 4000000000u;
    long sg = -5000000000L;
    unsigned long sh = 1UL << 63;
    float sk = 0.25f;
    double sl = 1e-3;
    _Bool sm = 1;
    for (int i = 0; i < N; i++) {
        a[i] = b[i] = c[i] = d[i] = e[i] = f[i] = g[i] = h[i] = k[i] = l[i] = m[i] = i;
    }
#pragma acc parallel loop copyin(a, b, c, d, e, f, g, h, k, l, m) copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = a[i] * sa + b[i] * sb + c[i] * sc + d[i] * sd + e[i] * se + (double)f[i] * sf +
                 g[i] * sg + (double)(sh >> h[i]) + k[i] * sk + l[i] * sl + m[i] * sm;
    for (int i = 0; i < N; i++) {
        double want = (1.0 + 200 - 300 + 60000 - 70000 + 4e9 - 5e9 + 0.25 + 1e-3 + 1) * i;
        check_near("out", i, out[i], want + (double)(sh >> i), 1e-14);
    }
    return finish();
}

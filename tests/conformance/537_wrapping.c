// Signed integers wrap with -fwrapv: sums, products, signs, compound assignments, in routines and atomics.
// flags: -fwrapv
// expect: launches=2
#include <limits.h>
#include "check.h"

#pragma acc routine seq
static int hash(int x) { return x * 0x7fffffff + INT_MAX; }

static void f(int *restrict a, long *restrict b, short *restrict s, unsigned short *restrict us, int n, int least)
{
#pragma acc parallel loop copy(a[0:n], b[0:n], s[0:n], us[0:n])
    for (int i = 0; i < n; i++) {
        int t = i * 0x7fffffff;
        // As a number without overflow this is always true.
        a[i] += t + 1 > t ? hash(t) : -1;
        if (-least < 0 && i % 3 == 0)
            a[i] *= INT_MAX - i;
        b[i] -= LONG_MIN + i;
        b[i] *= b[i] + 0x7fffffffffffL;
        us[i] *= us[i];
        s[i] -= t;
        int own = INT_MAX;
#pragma acc atomic update
        own += i;
        for (int j = i; j < 5; j++)
            own *= 0x10001;
        a[i] ^= own;
    }
#pragma acc parallel loop copy(a[0:n]) vector_length(32)
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 31 - INT_MIN;
}

int main(void)
{
    enum { N = 1000 };
    static int a[N], c[N];
    static long b[N], d[N];
    static short s[N], t[N];
    static unsigned short u[N], v[N];
    for (int i = 0; i < N; i++) {
        a[i] = c[i] = i - 7;
        b[i] = d[i] = i * 3000000000000000000L;
        s[i] = t[i] = (short)(i * 77);
        u[i] = v[i] = (unsigned short)(65535 - i);
    }
    f(a, b, s, u, N, INT_MIN);
    for (int i = 0; i < N; i++) {
        unsigned x = (unsigned)i * 0x7fffffffu;
        int more = (int)(x + 1) > (int)x;
        unsigned y = (unsigned)c[i] + (more ? x * 0x7fffffffu + INT_MAX : -1u);
        if (i % 3 == 0)
            y *= (unsigned)(INT_MAX - i);
        unsigned long z = (unsigned long)d[i] - ((unsigned long)LONG_MIN + (unsigned long)i);
        z *= z + 0x7fffffffffffUL;
        unsigned own = (unsigned)INT_MAX + (unsigned)i;
        for (int j = i; j < 5; j++)
            own *= 0x10001u;
        y = (y ^ own) * 31u - (unsigned)INT_MIN;
        check_int("a", i, a[i], (int)y);
        check_int("b", i, b[i], (long)z);
        check_int("s", i, s[i], (short)((unsigned)t[i] - x));
        check_int("us", i, u[i], (unsigned short)((unsigned)v[i] * v[i]));
    }
    return finish();
}

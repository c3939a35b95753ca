// Division and remainder truncate towards zero, for negative operands too; unsigned and 64 bits.
// expect: launches=1 uploads=2 downloads=5
#include "check.h"

#define N 400

int main(void)
{
    int a[N], b[N], q[N], r[N];
    unsigned uq[N];
    long lq[N], lr[N];
    for (int i = 0; i < N; i++) {
        a[i] = (i * 7919) % 2003 - 1000;
        b[i] = (i * 31) % 41 - 20;
        if (b[i] == 0)
            b[i] = 21;
    }
#pragma acc parallel loop copyin(a, b) copyout(q, r, uq, lq, lr)
    for (int i = 0; i < N; i++) {
        q[i] = a[i] / b[i];
        r[i] = a[i] % b[i];
        uq[i] = (unsigned)a[i] / 3u + (unsigned)a[i] % 7u + a[i] / 8 + a[i] % 8;
        long wide = a[i] * 1000000000000L;
        lq[i] = wide / (b[i] * 1000003L);
        lr[i] = wide % (b[i] * 1000003L);
    }
    for (int i = 0; i < N; i++) {
        long wide = a[i] * 1000000000000L;
        check_int("q", i, q[i], a[i] / b[i]);
        check_int("r", i, r[i], a[i] % b[i]);
        check_int("qr", i, q[i] * b[i] + r[i], a[i]);
        check_int("uq", i, uq[i],
                  (unsigned)a[i] / 3u + (unsigned)a[i] % 7u + a[i] / 8 + a[i] % 8);
        check_int("lq", i, lq[i], wide / (b[i] * 1000003L));
        check_int("lr", i, lr[i], wide % (b[i] * 1000003L));
    }
    return finish();
}

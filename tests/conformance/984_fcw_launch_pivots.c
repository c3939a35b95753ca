// fcw, cache: sizes that only the launch knows around pivots that move backwards, in steps, or by the launch's own numbers.
// expect: launches=12
#include <stdlib.h>
#include "check.h"

static long around(long p, long before, long after, int len, const short *a)
{
    long sum = 0;
    for (long j = p - before; j <= p + after; j++)
        if (j >= 0 && j < len)
            sum += a[j];
    return sum;
}

static void backwards(int n, int len, int r, unsigned char s, const short *a, double *b)
{
#pragma acc parallel loop gang vector(96) copyin(a[:len]) copyout(b[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL(a[n - 1 - i:r * s:r + s])
        {
            double sum = 0;
            for (int j = n - 1 - i - r * s; j <= n - 1 - i + r + s; j++)
                if (j >= 0 && j < len)
                    sum += a[j];
            b[i] = sum;
        }
    }
}

static void steps(int n, int len, int r, unsigned char s, const short *a, double *b)
{
#pragma acc parallel loop gang vector(64) copyin(a[:len]) copyout(b[:n])
    for (long i = 0; i < n; i++) {
#pragma acc cache(a[3 * i - r:2 * r + s + 1])
        double sum = 0;
        for (long j = 3 * i - r; j <= 3 * i + r + s; j++)
            if (j >= 0 && j < len)
                sum += a[j];
        b[i] = sum;
    }
}

int main(void)
{
    enum { LEN = 1000 };
    short a[LEN];
    double b[LEN];
    for (int i = 0; i < LEN; i++)
        a[i] = (i * 11) % 29;
    for (int t = 0; t < 6; t++) {
        int n = 1 + t * 190, len = LEN - t * 30, r = t, s = (t * 5) % 7;
        n = n < LEN ? n : LEN;
        backwards(n, len, r, s, a, b);
        for (int i = 0; i < n; i++)
            check_near("backwards", i, b[i], around(n - 1 - i, r * s, r + s, len, a), 0);
        steps(n, len, r, s, a, b);
        for (int i = 0; i < n; i++)
            check_near("steps", i, b[i], around(3 * i, r, r + s, len, a), 0);
    }
    return finish();
}

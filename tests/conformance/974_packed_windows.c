// Windows of arrays whose elements are packed without padding: decoded once on fetch, encoded when they go back; clipped at
// both ends, in sections that begin within a group, in rows, and on the cpu device with the window checked.
// expect: launches=4 uploads=4 downloads=4
#include "check.h"
#include <stdlib.h>

#define N 1003

static float a[N], b[N], c[N], rows[37][50], out[37][50];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = c[i] = (float)(i % 50) / 50;
        b[i] = -1;
    }
#pragma acc data ccopyin(bits(12): a[0:N:0:1]) copyout(b[0:N])
#pragma acc parallel loop vector(128) compression(a) present(a[0:N], b[0:N])
    for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_ONLY(a[i:2:2])
        b[i] = i > 1 && i < N - 2 ? a[i - 2] + a[i - 1] + a[i] + a[i + 1] + a[i + 2] : a[i];
    }
    for (int i = 0; i < N; i++) {
        float want = a[i];
        if (i > 1 && i < N - 2)
            want = a[i - 2] + a[i - 1] + a[i] + a[i + 1] + a[i + 2];
        check_near("range, 12 bits", i, b[i], want, 6.0 / 4096);
    }

    /* A section whose first element is the fourth of its group. */
#pragma acc data ccopyin(scheme(affine), bits(20): a[100:500:0:1]) copyout(b[100:500])
    {
#pragma acc parallel loop vector(64) compression(scheme(affine), bits(20): a) present(a[100:500], b[100:500])
        for (int i = 103; i < 597; i++) {
#pragma acc fcw FETCH_ONLY(a[i:3:3])
            b[i] = a[i - 3] + a[i + 3];
        }
    }
    for (int i = 103; i < 597; i++)
        check_near("affine, 20 bits", i, b[i], a[i - 3] + a[i + 3], 4e-6);

    /* Written: neighbours in the same words keep their bits. */
#pragma acc data ccopy(bits(12): c[0:N:-4:4])
    {
#pragma acc parallel loop vector(128) compression(c) present(c[0:N])
        for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_WB(c[i:0:0])
            c[i] = 3 * c[i];
        }
    }
    for (int i = 0; i < N; i++)
        check_near("written", i, c[i], 3 * a[i], 16.0 / 4096);

    for (int i = 0; i < 37; i++)
        for (int k = 0; k < 50; k++)
            rows[i][k] = (float)(i - k) / 64;
#pragma acc parallel loop vector(4) ccopyin(bits(20): rows) copyout(out)
    for (int i = 1; i < 36; i++) {
#pragma acc loop vector(32)
        for (int k = 1; k < 49; k++) {
#pragma acc fcw FETCH_ONLY(rows[i:1:1][k:1:1])
            out[i][k] = rows[i - 1][k] + rows[i + 1][k] - rows[i][k - 1] - rows[i][k + 1];
        }
    }
    for (int i = 1; i < 36; i++)
        for (int k = 1; k < 49; k++)
            check_near("rows", i * 50 + k, out[i][k], 0, 1e-5);
    return finish();
}

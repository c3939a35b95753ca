// cache of a length that only the launch knows: a block keeps it where it has the room, else the array itself is read.
// expect: launches=10
#include <stdlib.h>
#include "check.h"

static void sums(int n, int r, const float *a, float *b)
{
#pragma acc parallel loop gang vector(128) present(a[:n], b[:n])
    for (int i = r; i < n - r; i++) {
#pragma acc cache(a[i - r:2 * r + 1])
        float sum = 0;
        for (int k = -r; k <= r; k++)
            sum += a[i + k];
        b[i] = sum;
    }
}

// Reads beyond the range, whose length may be anything.
static void gather(int n, int m, const float *a, float *b)
{
#pragma acc parallel loop gang vector(128) present(a[:n], b[:n])
    for (int i = 0; i < n; i++) {
#pragma acc cache(a[0:m])
        b[i] = a[i] + a[(i * 7) % n];
    }
}

// Beside a window that must be kept.
static void beside(int n, int m, int r, const float *a, float *b)
{
#pragma acc parallel loop gang vector(128) present(a[:n], b[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(b[i:r:0])
        {
#pragma acc cache(a[i:m])
            b[i] = a[i];
            if (i % 128 >= r)
                b[i] += 1;
        }
    }
}

// Where the result is compressed, too.
static void blocks(int n, int m, const float *a, float *b)
{
#pragma acc parallel loop gang vector(128) ccopyout(scheme(block) : b[0:n]) present(a[:n])
    for (int i = 0; i < n; i++) {
#pragma acc cache(a[i:m])
        b[i] = 2 * a[i];
    }
}

int main(void)
{
    int n = 30000;
    float *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i % 29;
#pragma acc data copyin(a[:n]) copyout(b[:n])
    {
        int radii[] = {0, 5, 7000};
        for (int t = 0; t < 3; t++) {
            int r = radii[t];
            sums(n, r, a, b);
#pragma acc update self(b[:n])
            float want = 0;
            for (int k = 0; k <= 2 * r; k++)
                want += a[k];
            for (int i = r; i < n - r; i++) {
                check_near("sums", i, b[i], want, 1e-6);
                want += i + r + 1 < n ? a[i + r + 1] - a[i - r] : 0;
            }
        }
        int lengths[] = {100, 0, -5, 1 << 30};
        for (int t = 0; t < 4; t++) {
            gather(n, lengths[t], a, b);
#pragma acc update self(b[:n])
            for (int i = 0; i < n; i++)
                check_near("gather", i, b[i], a[i] + a[(i * 7) % n], 1e-6);
        }
        for (int m = 1; m < 1 << 28; m = m * 10000000) {
            beside(n, m, 1, a, b);
#pragma acc update self(b[:n])
            for (int i = 0; i < n; i++)
                check_near("beside", i, b[i], a[i] + (i % 128 >= 1), 1e-6);
        }
    }
    float *c = malloc(n * sizeof *c);
#pragma acc data copyin(a[:n])
    blocks(n, 1 << 29, a, c);
    for (int i = 0; i < n; i++)
        check_near("blocks", i, c[i], 2 * a[i], 1e-3);
    free(c);
    free(a);
    free(b);
    return finish();
}

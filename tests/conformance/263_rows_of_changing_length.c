// The length of the rows is another one in each iteration: rows of different lengths may share elements, whatever the loop
// inside stays below.
#include "check.h"

#define SIZE 2000

static int x[SIZE], want[SIZE], lengths[40];

static void read(int n, int *restrict lengths, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE], lengths[0:n])
    for (int k = 0; k < n; k++) {
        int w = lengths[k];
        for (int j = 0; j < w; j++)
            p[k * w + j] = p[k * w + j] * 3 % 1000 + k - j;
    }
}

static void computed(int n, int s, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int k = 0; k < n; k++) {
        int w = 30 - k * s % 7;
        for (int j = 0; j < w; j++)
            p[k * w + j] = p[k * w + j] * 3 % 1000 + k - j;
    }
}

static void read_at_once(int n, int *restrict lengths, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE], lengths[0:n])
    for (int k = 0; k < n; k++)
        for (int j = 0; j < lengths[k]; j++)
            p[k * lengths[k] + j] = p[k * lengths[k] + j] * 3 % 1000 + k - j;
}

/* Not in the construct, but in a loop of it. */
static void growing(int n, int *restrict p)
{
#pragma acc kernels present(p[0:SIZE])
    for (int w = 20; w < 30; w++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < 24; j++)
                p[k * w + j] = p[k * w + j] * 3 % 1000 + k - j;
}

static void row(int k, int w, int m)
{
    for (int j = 0; j < m; j++)
        want[k * w + j] = want[k * w + j] * 3 % 1000 + k - j;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        x[i] = want[i] = i * 7 % 31;
    for (int k = 0; k < 40; k++)
        lengths[k] = 40 - k;
#pragma acc data copy(x) copyin(lengths)
    {
        read(40, lengths, x);
        computed(40, 3, x);
        read_at_once(40, lengths, x);
        growing(40, x);
    }
    for (int k = 0; k < 40; k++)
        row(k, lengths[k], lengths[k]);
    for (int k = 0; k < 40; k++)
        row(k, 30 - k * 3 % 7, 30 - k * 3 % 7);
    for (int k = 0; k < 40; k++)
        row(k, lengths[k], lengths[k]);
    for (int w = 20; w < 30; w++)
        for (int k = 0; k < 40; k++)
            row(k, w, 24);
    for (int i = 0; i < SIZE; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}

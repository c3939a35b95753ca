// fcw: elements that are written in turn, one a thread, may have two buffers; those that a step does not write must stay.
// Along a diagonal no barrier stands between reading and writing, along a row one must.
// expect: launches=8
#include "check.h"

#define N 300
#define B 64
#define M 40
#define T 8

static int a[N], b[N], c[M][M], d[N];
static int want[N], wanted[M][M];

/* The blocks of one dimension, `steps` of them, as kernels one and two have them. */
static void serial(int n, int *x, int twice)
{
    for (int first = 0; first < n; first += B) {
        int count = first + B < n ? B : n - first, old[B];
        for (int s = 0; s < 7; s++)
            for (int part = 0; part <= twice; part++) {
                for (int t = 0; t < count; t++)
                    old[t] = x[first + t];
                for (int t = 0; t < count; t++) {
                    int other = (t + 1 + part) % B;
                    if ((t + s + part) % 3 != 0)
                        x[first + t] = old[t] + 2 * (other < count ? old[other] : 1);
                }
            }
    }
}

static void run(int n)
{
    int steps = 7;
    for (int i = 0; i < n; i++)
        a[i] = b[i] = d[i] = i % 11;
    for (int i = 0; i < M * M; i++)
        c[i / M][i % M] = wanted[i / M][i % M] = i % 5;
#pragma acc data copy(a, b, c, d)
    {
#pragma acc parallel loop vector(B)
        for (int i = 0; i < n; i++) {
            int at = i % B, first = i - at;
#pragma acc fcw FETCH_CHANNEL_WB(a[i:0:0])
            for (int s = 0; s < steps; s++) {
                int other = first + (at + 1) % B;
                if ((at + s) % 3 != 0)
                    a[i] += 2 * (other < n ? a[other] : 1);
            }
        }
#pragma acc parallel loop vector(B)
        for (int i = 0; i < n; i++) {
            int at = i % B, first = i - at;
#pragma acc fcw FETCH_CHANNEL_WB(b[i:0:0])
            for (int s = 0; s < steps; s++) {
                int other = first + (at + 1) % B, next = first + (at + 2) % B;
                if ((at + s) % 3 != 0)
                    b[i] += 2 * (other < n ? b[other] : 1);
                if ((at + s + 1) % 3 != 0)
                    b[i] += 2 * (next < n ? b[next] : 1);
            }
        }
#pragma acc parallel loop vector(T)
        for (int i = 0; i < M; i++) {
#pragma acc loop vector(T)
            for (int j = 0; j < M; j++) {
                int y = i % T, x = j % T;
#pragma acc fcw FETCH_CHANNEL_WB(c[i:0:0][j:0:0])
                for (int s = 0; s < 2 * T - 1; s++)
                    if (x + y == s)
                        c[i][j] += (y > 0 ? c[i - 1][j] : 0) + (x > 0 ? c[i][j - 1] : 0);
            }
        }
        /* A thread writes what its neighbour reads in the same step. */
#pragma acc parallel loop vector(B)
        for (int i = 0; i < n; i++) {
            int at = i % B;
#pragma acc fcw FETCH_CHANNEL_WB(d[i:1:0])
            for (int s = 0; s < steps; s++) {
                int place = i - s % 2;
                if (at > 1) {
                    int left = d[place - 1], own = d[place];
                    d[place] = left + own;
                }
            }
        }
    }
    for (int i = 0; i < n; i++)
        want[i] = i % 11;
    serial(n, want, 0);
    for (int i = 0; i < n; i++)
        check_int("a", i, a[i], want[i]);
    for (int i = 0; i < n; i++)
        want[i] = i % 11;
    serial(n, want, 1);
    for (int i = 0; i < n; i++)
        check_int("b", i, b[i], want[i]);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            wanted[i][j] += (i % T ? wanted[i - 1][j] : 0) + (j % T ? wanted[i][j - 1] : 0);
            check_int("c", i * M + j, c[i][j], wanted[i][j]);
        }
    for (int i = 0; i < n; i++)
        want[i] = i % 11;
    for (int s = 0; s < 7; s++)
        for (int i = n - 1; i >= 0; i--)
            if (i % B > 1)
                want[i - s % 2] += want[i - s % 2 - 1];
    for (int i = 0; i < n; i++)
        check_int("d", i, d[i], want[i]);
}

int main(void)
{
    run(N);
    /* Blocks that are full. */
    run(N / B * B);
    return finish();
}

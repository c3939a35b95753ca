// fcw FETCH_CHANNEL: a tree of sums in each block (paper 004, listing 3), sizes that do not divide.
// expect: uploads=2 downloads=1
#include <stdlib.h>
#include "check.h"

#define TILE 256
#define LOG 8

int main(void)
{
    int n = 70001;
    int *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    long want = 0;
    for (int i = 0; i < n; i++) {
        x[i] = (i * 7) % 23 - 5;
        y[i] = 0;
        want += x[i];
    }
    int *a = y, *b = x, total = 0;
#pragma acc data copyin(x[:n], y[:n])
    {
        int p;
        for (p = n; p > 1; p = p / TILE + (p % TILE != 0)) {
            int *c = a;
            a = b;
            b = c;
#pragma acc kernels present(a[:n], b[:n])
#pragma acc loop independent vector(TILE)
            for (int i = 0; i < p; i++) {
                int tile = i >> LOG;
                int at = i & (TILE - 1);
#pragma acc fcw FETCH_CHANNEL(a[i:0:0])
                {
                    for (int w = TILE / 2; w > 0; w >>= 1)
                        if (at < w && i + w < p)
                            a[i] = a[i] + a[i + w];
                    if (i == tile * TILE)
                        b[tile] = a[i];
                }
            }
        }
#pragma acc update self(b[:1])
        total = b[0];
    }
    check_int("sum", 0, total, want);
    free(x);
    free(y);
    return finish();
}

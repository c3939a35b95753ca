// fcw FETCH_CHANNEL with a ghost zone: blocks overlap, several rows in one launch (paper 004, listing 7).
// expect: launches=5
#include <stdlib.h>
#include <string.h>
#include "check.h"

#define TILE 64
#define LOG 6
#define MIN(x, y) ((x) < (y) ? (x) : (y))

int main(void)
{
    int rows = 18, cols = 500, steps = 4;
    int *data = malloc(rows * cols * sizeof *data);
    int *one = malloc(cols * sizeof *one), *two = malloc(cols * sizeof *two);
    int *want = malloc(cols * sizeof *want), *next = malloc(cols * sizeof *next);
    for (int i = 0; i < rows * cols; i++)
        data[i] = (i * 31 + i / 7) % 10;
    memcpy(one, data, cols * sizeof *one);
    memcpy(want, data, cols * sizeof *want);
    int *src = two, *dst = one;
#pragma acc data copyin(data[:rows * cols]) copy(one[:cols]) copy(two[:cols])
    for (int t = 0; t < rows - 1; t += steps) {
        int *temp = src;
        src = dst;
        dst = temp;
        int pad = (cols / (TILE - 2 * steps) + 1) * steps * 2;
#pragma acc kernels present(src[:cols], dst[:cols], data[:rows * cols])
#pragma acc loop independent vector(TILE)
        for (int np = 0; np < cols + pad; np++) {
            int n = np - ((np >> LOG) * 2 * steps + steps);
            int at = np & (TILE - 1);
            int val = 0;
            int computed = 0;
#pragma acc fcw FETCH_CHANNEL(src[n:0:0])
            for (int i = 0; i < steps; i++) {
                int row = t + i + 1;
                if (row < rows) {
                    computed = 0;
                    if (at > i && at < TILE - i - 1 && n >= 0 && n < cols) {
                        int min = src[n];
                        computed = 1;
                        if (n > 0)
                            min = MIN(min, src[n - 1]);
                        if (n < cols - 1)
                            min = MIN(min, src[n + 1]);
                        val = data[row * cols + n] + min;
                        src[n] = val;
                    }
                }
            }
            if (computed)
                dst[n] = val;
        }
    }
    for (int t = 1; t < rows; t++) {
        for (int n = 0; n < cols; n++) {
            int min = want[n];
            if (n > 0)
                min = MIN(min, want[n - 1]);
            if (n < cols - 1)
                min = MIN(min, want[n + 1]);
            next[n] = data[t * cols + n] + min;
        }
        memcpy(want, next, cols * sizeof *want);
    }
    for (int n = 0; n < cols; n++)
        check_int("dst", n, dst[n], want[n]);
    free(data);
    free(one);
    free(two);
    free(want);
    free(next);
    return finish();
}

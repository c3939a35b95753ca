// A window that is larger than a block's memory ends the program, with the sizes and the vector that would fit.
// expect-exit: nonzero
// expect-stderr: the windows of a take 2621440 bytes of shared memory for a block of 128 iterations; a block has [0-9]+
// expect-stderr: 979_fcw_launch_too_large\.c:18: parallel loop
// expect-stderr: help: vector\([0-9]+\) would fit
#include <stdlib.h>
#include "check.h"

#define ROW 4096

int main(int argc, char **argv)
{
    (void)argv;
    int n = 200, m = ROW * argc;
    float *a = calloc(n * ROW, sizeof *a);
#pragma acc data copy(a[:n * ROW])
    {
#pragma acc parallel loop vector(128) present(a[:n * ROW])
        for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(a[i * ROW:0:m - 1])
            a[i * ROW + 5] += 1.0f;
        }
    }
    free(a);
    return finish();
}

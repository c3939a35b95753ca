// --check, of a window whose size the launch decides.
// flags: --check
// devices: cpu
// expect-exit: nonzero
// expect-stderr: 981_fcw_launch_check\.c:19: a is subscripted with 66, outside its window, 0 to 65
#include <stdlib.h>
#include "check.h"

int main(int argc, char **argv)
{
    (void)argv;
    int n = 128, r = 2 * argc;
    float *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
#pragma acc parallel loop vector(64) copyin(a[:n]) copyout(b[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:0:r])
        {
            // The last of a block goes too far.
            b[i] = i + r < n - 1 ? a[i + r + 1] : 0.0f;
        }
    }
    free(a);
    free(b);
    return finish();
}

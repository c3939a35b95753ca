// --check: an access outside the declared window ends the program on the cpu device, and says where.
// flags: --check
// devices: cpu
// expect-exit: nonzero
// expect-stderr: 963_fcw_check\.c:18: a is subscripted with 64, outside its window, 0 to 63
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 128;
    float *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
#pragma acc parallel loop vector(64) copyin(a[:n]) copyout(b[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:0:0])
        {
            // The last of a block goes too far.
            b[i] = i < n - 1 ? a[i + 1] : 0.0f;
        }
    }
    free(a);
    free(b);
    return finish();
}

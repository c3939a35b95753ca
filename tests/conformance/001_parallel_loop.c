// A combined construct with data clauses, the plainest program there is.
// expect: launches=1 uploads=2 downloads=1
#include "check.h"

#define N 1000

static float a[N], b[N], c[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = 0.5f * i;
        b[i] = 3.0f - i;
    }
#pragma acc parallel loop copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++)
        c[i] = a[i] + 2.0f * b[i];

    for (int i = 0; i < N; i++)
        check_near("c", i, c[i], 0.5f * i + 2.0f * (3.0f - i), 1e-6);
    return finish();
}

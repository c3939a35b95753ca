// serial: one gang, one worker, one lane; a recurrence is correct there.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

int main(void)
{
    int n = 100;
    long f[100];
    for (int i = 0; i < n; i++)
        f[i] = -1;
#pragma acc serial copy(f)
    {
        f[0] = 0;
        f[1] = 1;
        for (int i = 2; i < 90; i++)
            f[i] = f[i - 1] + f[i - 2];
    }
    long before = 0, last = 1;
    for (int i = 2; i < 90; i++) {
        long next = before + last;
        before = last;
        last = next;
        check_int("f", i, f[i], next);
    }
    for (int i = 90; i < n; i++)
        check_int("f", i, f[i], -1);
    return finish();
}

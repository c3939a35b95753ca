// && and || evaluate their right side only when they must: guards of subscripts and divisions, and
// side effects that must or must not happen.
// expect: launches=1 uploads=2 downloads=2
#include "check.h"

#define N 210

int main(void)
{
    int a[N], at[N], out[N], effects[N];
    for (int i = 0; i < N; i++) {
        a[i] = i % 9 - 4;
        at[i] = (i * 13) % (3 * N) - N;
    }
#pragma acc parallel loop copyin(a, at) copyout(out, effects)
    for (int i = 0; i < N; i++) {
        int count = 0, r = 0;
        if (at[i] >= 0 && at[i] < N && a[at[i]] > 0)
            r += 1;
        if (a[i] == 0 || 100 / a[i] > 30)
            r += 2;
        if (a[i] > 0 && ++count > 0 && (count += 10) > 5 && a[i] > 2)
            r += 4;
        if (a[i] < 0 || count++ > 5 || (count += 100, 0))
            r += 8;
        r += a[i] != 0 ? 16 * (12 / a[i] == 3) : (count += 1000, 32);
        out[i] = r;
        effects[i] = count;
    }
    for (int i = 0; i < N; i++) {
        int count = 0, r = 0;
        if (at[i] >= 0)
            if (at[i] < N)
                r += a[at[i]] > 0;
        if (a[i] == 0)
            r += 2;
        else if (100 / a[i] > 30)
            r += 2;
        if (a[i] > 0) {
            count = 11;
            r += a[i] > 2 ? 4 : 0;
        }
        if (a[i] < 0) {
            r += 8;
        } else {
            r += count > 5 ? 8 : 0;
            count += count > 5 ? 1 : 101;
        }
        if (a[i] != 0)
            r += 16 * (12 / a[i] == 3);
        else {
            count += 1000;
            r += 32;
        }
        check_int("out", i, out[i], r);
        check_int("effects", i, effects[i], count);
    }
    return finish();
}

// Declarations in the heads of `if`, `switch` and `while`, in kernels and around constructs.
// expect: launches=4
#include "check.h"

#define N 32

static int mixed(int i)
{
    int s = 0;
    if (int a = i % 3; int b = a * 2)
        s += b;
    else
        s += a + 100;
    int c = i;
    while (int q = c % 5) {
        c++;
        if (q == 2)
            continue;
        s += q;
        if (q == 3)
            break;
    }
    switch (int k = i % 2; int w = k + 1) {
    case 1:
        s += 1000;
    case 2:
        s += w;
    }
    switch (int z = i % 4) {
    case 0:
        s += z;
        break;
    default:
        s -= z;
    }
    return s;
}

int main()
{
    int o[N];
#pragma acc parallel loop copyout(o)
    for (int i = 0; i < N; i++) {
        switch (int z = i % 4; z) {
        case 0:
            o[i] = mixed(i);
            break;
        default:
            o[i] = mixed(i) + z;
        }
    }
    for (int i = 0; i < N; i++)
        check_int("in a kernel", i, o[i], mixed(i) + i % 4);
    int t = 0;
    if (int n = N; n > 3)
#pragma acc parallel loop reduction(+ : t)
        for (int i = 0; i < n; i++)
            t += i;
    switch (int n = t; n) {
    case 496: {
#pragma acc parallel loop reduction(+ : t)
        for (int i = 0; i < n; i++)
            t += 1;
        break;
    }
    default:
        check_true("the sum", 0);
    }
    while (int n = t > 990 ? t - 990 : 0) {
#pragma acc parallel loop reduction(+ : t)
        for (int i = 0; i < n; i++)
            t -= 1;
    }
    check_int("around constructs", 0, t, 990);
    return finish();
}

// if chains, switch with fall-through and default, nested ternaries.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 256

static int classify(int x)
{
    int r;
    if (x < -50)
        r = 1;
    else if (x < 0)
        r = 2;
    else if (x == 0)
        r = 3;
    else
        r = 4;
    switch (x & 7) {
    case 0:
        r += 10;
        break;
    case 1:
        r += 20; /* falls through */
    case 2:
        r += 30;
        break;
    case 5: {
        int t = x * 2;
        r += t;
        break;
    }
    default:
        r -= 1;
    }
    return r + (x % 3 == 0 ? 100 : x % 3 == 1 ? 200 : x > 5 ? 300 : 400);
}

int main(void)
{
    int in[N], out[N];
    for (int i = 0; i < N; i++)
        in[i] = i - 100;
#pragma acc parallel loop copyin(in) copyout(out)
    for (int i = 0; i < N; i++) {
        int x = in[i], r;
        if (x < -50)
            r = 1;
        else if (x < 0)
            r = 2;
        else if (x == 0)
            r = 3;
        else
            r = 4;
        switch (x & 7) {
        case 0:
            r += 10;
            break;
        case 1:
            r += 20; /* falls through */
        case 2:
            r += 30;
            break;
        case 5: {
            int t = x * 2;
            r += t;
            break;
        }
        default:
            r -= 1;
        }
        out[i] = r + (x % 3 == 0 ? 100 : x % 3 == 1 ? 200 : x > 5 ? 300 : 400);
    }
    for (int i = 0; i < N; i++)
        check_int("out", i, out[i], classify(i - 100));
    return finish();
}

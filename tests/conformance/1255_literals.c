// Characters of string literals in device code.
// expect: launches=1
#include "check.h"

#define N 64

int main(void)
{
    char digit[N];
    int sum[N];
#pragma acc parallel loop copyout(digit, sum)
    for (int i = 0; i < N; i++) {
        digit[i] = "0123456789abcdef"[i & 15];
        sum[i] = 0;
        for (int k = 0; k < 5; k++)
            sum[i] += "hello"[k] * (k + i);
        if (i % 2 && "ab"[i % 4 / 2] == 'b')
            sum[i] = -1;
    }
    for (int i = 0; i < N; i++) {
        int want = 0;
        for (int k = 0; k < 5; k++)
            want += "hello"[k] * (k + i);
        check_int("digit", i, digit[i], "0123456789abcdef"[i & 15]);
        check_int("sum", i, sum[i], i % 4 == 3 ? -1 : want);
    }
    return finish();
}

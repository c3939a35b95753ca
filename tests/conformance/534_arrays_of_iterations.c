// An array and a structure with one that each iteration declares: loops that compilers vectorise.
// expect: launches=2
#include "check.h"

#define N 100

struct bins {
    int count[3], which;
};

static long counted(const int *restrict b, const short *restrict s, long *restrict o)
{
    long sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(b[0:N], s[0:N]) copy(o[0:N])
    for (int i = 0; i < N; i++) {
        int a[3] = {b[i] + i, b[i] & 7};
        a[i % 3] += ~s[i];
        o[i] += a[0] + 2L * a[1] + a[2];
        sum += a[0];
    }
#pragma acc parallel loop copyin(b[0:N], s[0:N]) copy(o[0:N])
    for (int i = 0; i < N; i++) {
        struct bins a = {{1, 2, 3}, b[i] % 3};
        a.count[a.which] += s[i];
        o[i] += a.count[0] - 3 * a.count[2];
    }
    return sum;
}

int main(void)
{
    static int b[N];
    static short s[N];
    static long o[N], want[N];
    long sum = 0;
    for (int i = 0; i < N; i++) {
        b[i] = i * 5 % 17;
        s[i] = (short)(i * 311);
        o[i] = want[i] = i;
        int a[3] = {b[i] + i, b[i] & 7, 0}, c[3] = {1, 2, 3};
        a[i % 3] += ~s[i];
        c[b[i] % 3] += s[i];
        want[i] += a[0] + 2L * a[1] + a[2] + c[0] - 3 * c[2];
        sum += a[0];
    }
    check_int("sum", 0, counted(b, s, o), sum);
    for (int i = 0; i < N; i++)
        check_int("o", i, o[i], want[i]);
    return finish();
}

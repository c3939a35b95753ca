// An array with static storage of which nothing is known yet begins where another ends, and is not taken for that one.
// expect: launches=6
#include "../check.h"

#define N 4096
#define M 40

static void fill(int *to, int n, int value)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = value + i;
}

int main(void)
{
    static int a[N], b[N], c[N];
    static int d[M], e[M], f[M];
    fill(a, N, 1);
    fill(b, N, 2);
    fill(c, N, 3);
    fill(d, M, 4);
    fill(e, M, 5);
    fill(f, M, 6);
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], 1 + i);
        check_int("b", i, b[i], 2 + i);
        check_int("c", i, c[i], 3 + i);
    }
    for (int i = 0; i < M; i++) {
        check_int("d", i, d[i], 4 + i);
        check_int("e", i, e[i], 5 + i);
        check_int("f", i, f[i], 6 + i);
    }
    return finish();
}

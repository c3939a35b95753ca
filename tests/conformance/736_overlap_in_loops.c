// Loops in parallel iterations, by arrays that overlap and by arrays that do not: on the cpu launches of the latter take a version
// whose C compiler knows that. Where they overlap each iteration meets what it has written itself by another name.
// devices: cpu
// expect: launches=8
// expect-stderr: function=columns .* variant=apart$
// expect-stderr: function=rows .* variant=apart$
// expect-stderr: function=columns .* block=1$
// expect-stderr: function=rows .* block=1$
#include "check.h"

enum { M = 150, N = 40 };
static double x[4 * M * N], want[4 * M * N];

#define COLUMNS PRAGMA(acc parallel loop present(y[0:m], a[0:m * n]))                                           \
    for (int j = 0; j < m; j++) {                                                                               \
        y[j] = 1;                                                                                               \
        for (int i = 0; i < n; i++)                                                                             \
            y[j] += a[i * m + j] / 2;                                                                           \
    }

#define ROWS PRAGMA(acc parallel loop present(y[0:m * n], a[0:m * n], s[0:m * n]))                              \
    for (int j = 0; j < m; j++)                                                                                 \
        for (int i = 0; i < n; i++) {                                                                           \
            s[j * n] = a[j * n + i] + 1;                                                                        \
            y[j * n + i] = s[j * n] * a[j * n] + a[j * n + (n - 1 - i)];                                        \
        }

#define FUNCTIONS(suffix)                                                                                       \
    static void columns##suffix(int m, int n, double *y, double *a) { COLUMNS }                                 \
    static void rows##suffix(int m, int n, double *y, double *a, double *s) { ROWS }

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
FUNCTIONS()
#undef PRAGMA
#define PRAGMA(...)
FUNCTIONS(_on_host)

#define ALL(suffix, x)                                                                                          \
    columns##suffix(M, N, x + M * N, x);                                                                        \
    columns##suffix(M, N, x, x);                                                                                \
    columns##suffix(M, N, x + 3 * M, x);                                                                        \
    columns##suffix(M, N, x + M * N, x);                                                                        \
    rows##suffix(M, N, x + M * N, x, x + 2 * M * N);                                                            \
    rows##suffix(M, N, x, x, x + 2 * M * N);                                                                    \
    rows##suffix(M, N, x + M * N, x, x);                                                                        \
    rows##suffix(M, N, x, x, x);

int main(void)
{
    for (int i = 0; i < 4 * M * N; i++)
        x[i] = want[i] = i % 23 / 16.0;
#pragma acc data copy(x)
    {
        ALL(, x)
    }
    ALL(_on_host, want)
    for (int i = 0; i < 4 * M * N; i++)
        check_near("x", i, x[i], want[i], 1e-12);
    return finish();
}

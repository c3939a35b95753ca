// Loops with `auto` that are sequential in some launches: what is inside is one gang's then, since gangs cannot wait for each
// other, and a clause that asks for many gangs does not make each of them do all of it.
// expect: launches=12 fallbacks=5
#include "check.h"

#define SIZE 4000

static int x[SIZE], want[SIZE], sums[SIZE], want_sums[SIZE];

#define ROWS PRAGMA(acc parallel loop auto num_gangs(7) present(p[0:SIZE]))                                     \
    for (int k = 0; k < n; k++)                                                                                 \
        for (int j = 0; j < m; j++)                                                                             \
            p[k * w + j] = p[k * w + j] * 7 % 1000 + k - j;

/* The inner loop is parallel whatever the launch. */
#define INNER PRAGMA(acc parallel loop auto present(p[0:SIZE], s[0:SIZE]))                                      \
    for (int k = 0; k < n; k++) {                                                                               \
        s[k] = p[k * w] + 3 * s[k] % 50;                                                                        \
        PRAGMA(acc loop vector)                                                                                 \
        for (int j = 0; j < m; j++)                                                                             \
            p[k * w + j] = p[k * w + j] * 5 % 1000 + k - j;                                                     \
    }

#define SHIFTED PRAGMA(acc parallel loop auto num_gangs(8) present(p[0:n], q[0:n]))                             \
    for (int i = 0; i < n; i++)                                                                                 \
        p[i] = p[i] * 7 % 1000 + q[i] % 91;

#define CARRIED PRAGMA(acc parallel loop auto num_gangs(5) present(p[0:SIZE]))                                  \
    for (int i = 1; i < n; i++)                                                                                 \
        p[i] = p[i] * 3 % 1000 + p[i - 1] % 91;

#define FUNCTIONS(suffix)                                                                                       \
    static void rows##suffix(int n, int m, int w, int *restrict p) { ROWS }                                     \
    static void inner##suffix(int n, int m, int w, int *restrict p, int *restrict s) { INNER }                  \
    static void shifted##suffix(int n, int *p, int *q) { SHIFTED }                                              \
    static void carried##suffix(int n, int *p) { CARRIED }

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
FUNCTIONS()
#undef PRAGMA
#define PRAGMA(...)
FUNCTIONS(_on_host)

#define ALL(suffix, x, sums)                                                                                    \
    for (int s = 0; s < 3; s++) {                                                                               \
        const int *a = shapes[s];                                                                               \
        rows##suffix(a[0], a[1], a[2], x);                                                                      \
        inner##suffix(a[0], a[1], a[2], x, sums);                                                               \
        shifted##suffix(1000, x + starts[s], x);                                                                \
        carried##suffix(900, x);                                                                                \
    }

int main(void)
{
    const int shapes[3][3] = {{30, 40, 40}, {30, 41, 40}, {20, 90, 37}}, starts[3] = {1000, 1, 1500};
    for (int i = 0; i < SIZE; i++)
        x[i] = want[i] = i * 7 % 31, sums[i] = want_sums[i] = i;
#pragma acc data copy(x, sums)
    ALL(, x, sums)
    ALL(_on_host, want, want_sums)
    for (int i = 0; i < SIZE; i++) {
        check_int("x", i, x[i], want[i]);
        check_int("sums", i, sums[i], want_sums[i]);
    }
    return finish();
}

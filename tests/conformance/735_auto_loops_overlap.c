// Loops of parallel constructs with `auto` (OpenACC 3.3 §2.9.7) that are parallel unless their arrays overlap: each launch tests
// that, and takes a sequential version where they do. The same where such a loop lies in gangs, and beside loops that are
// independent for other reasons.
// expect: launches=16 fallbacks=9
// expect-remark: Loop is parallelizable where arrays do not overlap, which each launch tests
#include "check.h"

enum { N = 500 };
static int x[4 * N], want[4 * N];

#define COPY PRAGMA(acc parallel loop auto present(to[0:n], from[0:n]))                                         \
    for (int i = 0; i < n; i++)                                                                                 \
        to[i] = from[i] + 1;

#define ROWS PRAGMA(acc parallel loop gang num_gangs(1) present(to[0:4 * n], from[0:4 * n]))                    \
    for (int j = 0; j < 4; j++) {                                                                               \
        PRAGMA(acc loop auto)                                                                                   \
        for (int i = 1; i < n; i++)                                                                             \
            to[j * n + i] += from[j * n + i - 1];                                                               \
    }

#define SUM PRAGMA(acc parallel present(to[0:n], from[0:n]))                                                    \
    {                                                                                                           \
        PRAGMA(acc loop auto)                                                                                   \
        for (int i = 0; i < n; i++) {                                                                           \
            int add = from[i] * 2;                                                                              \
            to[i] -= add;                                                                                       \
        }                                                                                                       \
    }

/* With a clause for the levels, if the loop turns out to be independent. */
#define LEVELS PRAGMA(acc parallel loop gang vector auto present(to[0:n], from[0:n]))                           \
    for (int i = n - 1; i >= 0; i--)                                                                            \
        to[i] += 3 * from[i];

/* Nothing can overlap: no version but the parallel one. */
#define ALONE PRAGMA(acc parallel loop auto present(to[0:n]))                                                   \
    for (int i = 0; i < n; i++)                                                                                 \
        to[i] += i + (from == 0);

/* Dependent whatever the arrays: sequential for each launch. */
#define CARRIED PRAGMA(acc parallel loop auto present(to[0:n], from[0:n]))                                      \
    for (int i = 1; i < n; i++)                                                                                 \
        to[i] = to[i - 1] + from[i];

#define FUNCTIONS(suffix)                                                                                       \
    static void copy##suffix(int n, int *to, int *from) { COPY }                                                \
    static void rows##suffix(int n, int *to, int *from) { ROWS }                                                \
    static void sum##suffix(int n, int *to, int *from) { SUM }                                                  \
    static void levels##suffix(int n, int *to, int *from) { LEVELS }                                            \
    static void alone##suffix(int n, int *to, int *from) { ALONE }                                              \
    static void carried##suffix(int n, int *to, int *from) { CARRIED }

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
FUNCTIONS()
#undef PRAGMA
#define PRAGMA(...)
FUNCTIONS(_on_host)

/* Apart, shifted either way, and the same. */
#define EACH(f, n)                                                                                              \
    f(n, x + 2 * N, x);                                                                                         \
    f(n, x + 1, x);                                                                                             \
    f(n, x, x + 1);                                                                                             \
    f(n, x, x);

#define EACH_WANTED(f, n)                                                                                       \
    f##_on_host(n, want + 2 * N, want);                                                                         \
    f##_on_host(n, want + 1, want);                                                                             \
    f##_on_host(n, want, want + 1);                                                                             \
    f##_on_host(n, want, want);

int main(void)
{
    for (int i = 0; i < 4 * N; i++)
        x[i] = want[i] = i * 7 % 31;
#pragma acc data copy(x)
    {
        EACH(copy, N)
        EACH(sum, N)
        EACH(levels, N)
        rows(N / 4, x + 2 * N, x);
        alone(N, x + 3, x);
        carried(12, x + N, x);
        carried(12, x + N, x + N + 1);
    }
    EACH_WANTED(copy, N)
    EACH_WANTED(sum, N)
    EACH_WANTED(levels, N)
    rows_on_host(N / 4, want + 2 * N, want);
    alone_on_host(N, want + 3, want);
    carried_on_host(12, want + N, want);
    carried_on_host(12, want + N, want + N + 1);
    for (int i = 0; i < 4 * N; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}

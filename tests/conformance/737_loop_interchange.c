// A parallel loop inside a sequential one, whose columns stay apart, goes around it: one launch for all rows. Where arrays
// overlap, rows come one after the other as the program says; so they do where columns meet, or have other lengths.
// expect: launches=33 fallbacks=4
// expect-remark: Loops interchanged: one launch runs the loop over i in each iteration of the one over j
// expect-remark: Loops interchanged: one launch runs the loop over t in each iteration of the one over j
#include "check.h"

enum { N = 9, M = 301, ALL = 4 * N * M };
static int x[ALL], want[ALL];

/* One launch, where x and a do not overlap. */
#define COLUMNS PRAGMA(acc kernels present(x[0:n * m], a[0:n * m]))                                             \
    for (int i = 1; i < n; i++)                                                                                 \
        for (int j = 0; j < m; j++)                                                                             \
            x[i * m + j] += 3 * x[(i - 1) * m + j] + a[i * m + j];

/* From the last row and column to the first, with counters of the function. */
#define BACK                                                                                                    \
    int i, j;                                                                                                   \
    PRAGMA(acc parallel present(x[0:n * m]))                                                                    \
    for (i = n - 2; i >= 0; i--)                                                                                \
    {                                                                                                           \
        PRAGMA(acc loop)                                                                                        \
        for (j = m - 1; j >= 0; j -= 2)                                                                         \
            x[i * m + j] -= x[(i + 1) * m + j] / 2;                                                             \
    }

/* Two sequential loops around it. */
#define STEPS PRAGMA(acc parallel present(x[0:n * m]))                                                          \
    for (int t = 0; t < 3; t++)                                                                                 \
        for (int i = 1; i < n; i++)                                                                             \
        {                                                                                                       \
            PRAGMA(acc loop gang vector)                                                                        \
            for (int j = 0; j < m; j++)                                                                         \
                x[i * m + j] += (x[(i - 1) * m + j] + t) % 5;                                                   \
        }

/* Columns meet: a launch for each row. */
#define MEET PRAGMA(acc parallel present(x[0:n * m]))                                                           \
    for (int i = 1; i < n; i++)                                                                                 \
    {                                                                                                           \
        PRAGMA(acc loop)                                                                                        \
        for (int j = 1; j < m; j++)                                                                             \
            x[i * m + j] += x[(i - 1) * m + j - 1];                                                             \
    }

/* Rows have other lengths. */
#define TRIANGLE PRAGMA(acc parallel present(x[0:n * m]))                                                       \
    for (int i = 1; i < n; i++)                                                                                 \
    {                                                                                                           \
        PRAGMA(acc loop)                                                                                        \
        for (int j = 0; j < m - i; j++)                                                                         \
            x[i * m + j] += x[(i - 1) * m + j];                                                                 \
    }

/* A triangle, and then a nest that is none. A macro's loops all have one place in the source. */
#define TWO PRAGMA(acc kernels present(x[0:n * m]))                                                             \
    {                                                                                                           \
        for (int i = 1; i < n; i++)                                                                             \
        {                                                                                                       \
            PRAGMA(acc loop independent)                                                                        \
            for (int j = 0; j < m - i; j++)                                                                     \
                x[i * m + j] += 5 * x[(i - 1) * m + j];                                                         \
        }                                                                                                       \
        for (int k = 1; k < n; k++)                                                                             \
            for (int l = 0; l < m; l++)                                                                         \
                x[k * m + l] -= 2 * x[(k - 1) * m + l];                                                         \
    }

#define FUNCTIONS(suffix)                                                                                       \
    static void columns##suffix(int n, int m, int *x, const int *a) { COLUMNS }                                 \
    static void back##suffix(int n, int m, int *x) { BACK }                                                     \
    static void steps##suffix(int n, int m, int *x) { STEPS }                                                   \
    static void meet##suffix(int n, int m, int *x) { MEET }                                                     \
    static void triangle##suffix(int n, int m, int *x) { TRIANGLE }                                             \
    static void two##suffix(int n, int m, int *x) { TWO }

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
FUNCTIONS()
#undef PRAGMA
#define PRAGMA(...)
FUNCTIONS(_on_host)

/* Apart; the element to the left, which the row has just made; those that the row before has made; itself. */
#define ALL_OF(suffix, x)                                                                                       \
    columns##suffix(N, M, x + 2 * N * M, x);                                                                    \
    columns##suffix(N, M, x + N * M, x + N * M - 1);                                                            \
    columns##suffix(N, M, x + N * M, x + N * M - M + 1);                                                        \
    columns##suffix(N, M, x + N * M, x + N * M - M - 1);                                                        \
    columns##suffix(N, M, x, x);                                                                                \
    columns##suffix(1, M, x + 2 * N * M, x);                                                                    \
    columns##suffix(N, 0, x + 2 * N * M, x);                                                                    \
    back##suffix(N, M, x);                                                                                      \
    steps##suffix(N, M, x + 3 * N * M);                                                                         \
    meet##suffix(N, M, x + N * M);                                                                              \
    triangle##suffix(N, M, x + 2 * N * M);                                                                      \
    two##suffix(N, M, x + N * M);

int main(void)
{
    for (int i = 0; i < ALL; i++)
        x[i] = want[i] = i * 7 % 31;
#pragma acc data copy(x)
    {
        ALL_OF(, x)
    }
    ALL_OF(_on_host, want)
    for (int i = 0; i < ALL; i++)
        check_int("x", i, x[i], want[i]);
    return finish();
}

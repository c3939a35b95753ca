// expect: launches=12
// Parallel loops whose iterations go down a column each: what runs in strips on the cpu. Sizes that no strip divides, loops
// without iterations, one to five turns, bounds that are part of the loop, steps other than one, sums in locals and in
// elements, several of them, of float and double, minima, conditions, two sequential loops, 64-bit counters.
// expect-remark: On the cpu strips of \d+ iterations of [a-z]+ run inside the sequential loops
#include "check.h"
#include <stdlib.h>

enum { M = 2048 + 131, N = 9 };
static double A[N][M], B[N][M], y[M], z[M], want_y[M], want_z[M];
static float F[N][M], f[M], want_f[M];
static long l[M], want_l[M];

static void compare(const char *what)
{
    for (int j = 0; j < M; j++) {
        check_near(what, j, y[j], want_y[j], 1e-12);
        check_near(what, j, z[j], want_z[j], 1e-12);
        check_near(what, j, f[j], want_f[j], 1e-5);
        check_int(what, j, l[j], want_l[j]);
    }
}

static void reset(void)
{
    for (int j = 0; j < M; j++) {
        y[j] = want_y[j] = j % 5;
        z[j] = want_z[j] = j % 3;
        f[j] = want_f[j] = j % 11;
        l[j] = want_l[j] = j % 7;
    }
}

#define BOTH(what, LOOP)                                                                                        \
    {                                                                                                           \
        reset();                                                                                                \
        { double *Y = y, *Z = z; float *G = f; long *L = l;                                                     \
          LOOP(_Pragma("acc parallel loop copy(Y[0:M], Z[0:M], G[0:M], L[0:M]) copyin(A, B, F)")) }             \
        { double *Y = want_y, *Z = want_z; float *G = want_f; long *L = want_l; LOOP() }                        \
        compare(what);                                                                                          \
    }

#define ELEMENTS(PRAGMA)                                                                                        \
    PRAGMA for (int j = 0; j < m; j++) {                                                                        \
        Y[j] = 0;                                                                                               \
        for (int i = first; i < n; i++) {                                                                       \
            Y[j] += A[i][j] * Z[i];                                                                             \
            G[j] = G[j] + F[i][j];                                                                              \
        }                                                                                                       \
        L[j]++;                                                                                                 \
    }
#define LOCALS(PRAGMA)                                                                                          \
    PRAGMA for (long j = 1; j <= (long)m - 2; j++) {                                                            \
        double sum = 0, least = 1e30;                                                                           \
        float of_floats = 0;                                                                                    \
        for (long i = first; i <= n - 1; i++) {                                                                 \
            double product = A[i][j] * B[i][j + 1];                                                             \
            sum += product;                                                                                     \
            least = product < least ? product : least;                                                          \
            if (F[i][j] > 0)                                                                                    \
                of_floats += F[i][j];                                                                           \
            else                                                                                                \
                L[j] -= i;                                                                                      \
        }                                                                                                       \
        Y[j] = sum;                                                                                             \
        if (n > first)                                                                                          \
            Z[j] += least;                                                                                      \
        G[j] -= of_floats;                                                                                      \
    }
#define STEPS(PRAGMA)                                                                                           \
    PRAGMA for (int j = 0; j < m; j++) {                                                                        \
        for (int i = n - 1; i >= first; i--)                                                                    \
            Y[j] = Y[j] / 2 + A[i][j];                                                                          \
        for (int i = first; i < n; i += 2)                                                                      \
            for (int k = i; k < n; k++)                                                                         \
                Z[j] += A[i][j] - B[k][j] * Z[j] / 64;                                                          \
    }

static void all(int m, int first, int n)
{
    BOTH("elements", ELEMENTS)
    BOTH("locals", LOCALS)
    BOTH("steps", STEPS)
}

// Both read along their columns, and what a turn writes the next one reads.
static void in_place(int m, int n, double (*restrict C)[M], double (*want)[M])
{
#pragma acc parallel loop copy(C[0:N])
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
            C[i][j] += C[i - 1][j] / 3;
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
            want[i][j] += want[i - 1][j] / 3;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            A[i][j] = (i * 5 + j) % 13 - 6;
            B[i][j] = (i * 7 + j) % 11 - 4;
            F[i][j] = (i + j * 3) % 9 - 3;
        }
    all(M, 0, N);
    all(M - 1, 2, 3 + argc);
    all(2048, 3, 3);
    all(1, 1 + argc, 1 + 5);
    static double C[N][M], want[N][M];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            C[i][j] = want[i][j] = A[i][j];
    in_place(M, N, C, want);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("in place", i * M + j, C[i][j], want[i][j], 1e-12);
    return finish();
}

// fcw FETCH_ONLY with several iterations a thread: sizes that do not divide, first iterations that are not 0, `<=`,
// 64-bit counters, loops that run zero times, values that iterations beyond the bounds do not have.
// env: ACCL_RESIDENT_THREADS=1
// expect: launches=6
#include <stdlib.h>
#include "check.h"

#define N 150
#define M 137
#define K 77
#define T 16

static double a[N][K], b[K][M], c[N][M];
static float d[N], e[N], f[N], g[N];
static int at[N], in[N], out[N];

static void product(int n, long m, int k, double c[N][M])
{
#pragma acc parallel loop vector(T) present(a, b, c[:N])
    for (int i = 3; i <= n; i++) {
#pragma acc loop vector(T)
        for (long j = 0; j < m; j++) {
            double sum = i == 5 ? 1.0 : 0.0;
            for (int l = 0; l < k; l += T) {
                long column = (j & (T - 1)) + l;
#pragma acc fcw FETCH_ONLY(a[i:0:0:column:0:0], b[l:0:T - 1:j:0:0])
                for (int p = l; p < l + T; p++)
                    if (p < k)
                        sum += a[i][p] * b[p][j];
            }
            if (j != 7)
                c[i][j] += sum;
        }
    }
}

/* All pairs; what an iteration looks up has a place of its own, which one beyond the bound must not ask for. */
static void pairs(int n, int m)
{
#pragma acc parallel loop vector(32) present(d[:N], e[:N], f[:N], g[:N], at)
    for (int i = 0; i < n; i++) {
        float own = d[at[i]], sum = 0.0f;
        for (int first = 0; first < m; first += 64) {
            int end = first + 64 < m ? first + 64 : m;
#pragma acc fcw FETCH_ONLY(e[first:0:63])
            for (int j = first; j < end; j++)
                sum += own * e[j];
        }
        f[i] = sum;
        g[i] = f[i] + own;
    }
}

static void pairs_of_own(int n, int m)
{
#pragma acc parallel loop vector(32) present(e[:N], f[:N], g[:N], d[:N])
    for (int i = 0; i < n; i++) {
        float own = d[i], sum = 0.0f;
        for (int first = 0; first < m; first += 64) {
            int end = first + 64 < m ? first + 64 : m;
#pragma acc fcw FETCH_ONLY(e[first:0:63])
            for (int j = first; j < end; j++)
                sum += own * e[j];
        }
        f[i] = sum;
        g[i] = f[i] + own;
    }
}

/* `in` is written where others still read it, each its own. */
static void looked_up(int n)
{
#pragma acc parallel loop vector(32) present(in, out, at)
    for (int i = 0; i < n; i++) {
        int place = in[i], sum = 0;
        for (int first = 0; first < n; first += 32) {
            int end = first + 32 < n ? first + 32 : n;
#pragma acc fcw FETCH_ONLY(at[first:0:31])
            for (int j = first; j < end; j++)
                sum += at[j] > place ? 1 : 0;
        }
        in[i] = -1000000;
        out[i] = sum + at[place];
    }
}

static void check_pairs(int n, int m, const int *of)
{
    for (int i = 0; i < N; i++) {
        float own = d[of ? of[i] : i], sum = 0.0f;
        for (int j = 0; j < m; j++)
            sum += own * e[j];
        check_near("f", i, f[i], i < n ? sum : -1.0f, 0);
        check_near("g", i, g[i], i < n ? sum + own : -2.0f, 0);
    }
}

static void again(void)
{
    for (int i = 0; i < N; i++) {
        f[i] = -1.0f;
        g[i] = -2.0f;
    }
#pragma acc update device(f[:N], g[:N])
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int p = 0; p < K; p++)
            a[i][p] = (i * 7 + p * 3) % 11 - 5;
    for (int p = 0; p < K; p++)
        for (int j = 0; j < M; j++)
            b[p][j] = (p * 5 + j) % 13 - 6;
    for (int i = 0; i < N; i++) {
        at[i] = (i * 31) % N;
        in[i] = N - 1 - i;
        d[i] = i % 7;
        e[i] = i % 5 - 2;
    }
#pragma acc data copyin(a, b, d[:N], e[:N], at) copy(c, in) copyout(out) create(f[:N], g[:N])
    {
        product(N - 2, M - 1, K, c);
        product(N - 2, M - 1, 0, c);
        again();
        pairs(N - 1, N);
#pragma acc update self(f[:N], g[:N])
        check_pairs(N - 1, N, at);
        again();
        pairs_of_own(N - 3, 0);
#pragma acc update self(f[:N], g[:N])
        check_pairs(N - 3, 0, NULL);
        again();
        pairs_of_own(N - 3, N);
#pragma acc update self(f[:N], g[:N])
        check_pairs(N - 3, N, NULL);
        looked_up(N);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double sum = i == 5 ? 1.0 : 0.0, none = sum;
            for (int p = 0; p < K; p++)
                sum += a[i][p] * b[p][j];
            int written = i >= 3 && i <= N - 2 && j < M - 1 && j != 7;
            check_near("c", i * M + j, c[i][j], written ? sum + none : 0.0, 0);
        }
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int j = 0; j < N; j++)
            sum += at[j] > N - 1 - i ? 1 : 0;
        check_int("out", i, out[i], sum + at[N - 1 - i]);
        check_int("in", i, in[i], -1000000);
    }
    return finish();
}

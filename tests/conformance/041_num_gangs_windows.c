// num_gangs where a block of iterations keeps windows, and where a thread has several iterations: blocks take turns.
// expect: launches=12
// expect-stderr: launch \S+ kernel .* line=18 .* num_gangs=[1-3] .*
// expect-stderr: launch \S+ kernel .* line=32 .* num_gangs=[1-5] .*
// expect-stderr: launch \S+ kernel .* line=47 .* num_gangs=1 .*
// expect-stderr: launch \S+ kernel .* line=61 .* num_gangs=[1-2] .*
#include "check.h"

#define N 4099
#define M 75
#define BLOCK 64

static float a[N], b[N], p[M][M], q[M][M];

/* Threads of a block exchange values: the next one must not begin before all are done. */
static void reversed_in_blocks(int gangs)
{
#pragma acc parallel loop num_gangs(gangs) vector_length(BLOCK) copyin(a) copyout(b)
    for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_CHANNEL(a[i:0:0])
        {
            int at = i % BLOCK, last = i - at + BLOCK - 1 < N ? BLOCK - 1 : N - 1 - (i - at);
            a[i] = 2 * a[i];
            b[i] = a[i - at + last - at];
        }
    }
}

static void blur(int gangs)
{
    float(*to)[M] = q, (*from)[M] = p;
#pragma acc parallel loop collapse(2) num_gangs(gangs) copyin(from[0:M]) copyout(to[0:M])
    for (int i = 0; i < M; i++)
#pragma acc loop vector(8)
        for (int j = 0; j < M; j++) {
#pragma acc fcw FETCH_ONLY(from[i:1:1:j:1:1])
            if (i > 0 && j > 0 && i < M - 1 && j < M - 1)
                to[i][j] = from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1];
            else
                to[i][j] = 0;
        }
}

static float sum(int gangs)
{
    float all = 0;
#pragma acc parallel loop num_gangs(gangs) vector_length(BLOCK) reduction(+ : all) copyin(a)
    for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1])
        all += (i > 0 ? a[i - 1] : 0) + (i < N - 1 ? a[i + 1] : 0);
    }
    return all;
}

/* 16-byte accesses. */
static void wide(int gangs)
{
    float *restrict to = b;
    const float *restrict from = a;
    int n = N;
#pragma acc parallel loop num_gangs(gangs) copyin(from[0:n]) copyout(to[0:n])
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

int main(void)
{
    int sizes[] = {3, 1, 1000};
    float want = 0;
    for (int i = 0; i < N; i++)
        want += (i > 0 ? (i - 1) % 7 : 0) + (i < N - 1 ? (i + 1) % 7 : 0);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            p[i][j] = i * i + j;
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < N; i++)
            a[i] = i % 7;
        reversed_in_blocks(sizes[s]);
        for (int i = 0; i < N; i++) {
            int start = i - i % BLOCK, end = start + BLOCK < N ? start + BLOCK : N;
            check_near("reversed", i, b[i], 2 * ((end - 1 - (i - start)) % 7), 0);
        }
        blur(5 * sizes[s]);
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++)
                check_near("blur", i * M + j, q[i][j], 4 * (i * i + j) + 2, 0);
        check_near("sum", s, sum(sizes[s]), want, 0);
        wide(2 * sizes[s]);
        for (int i = 0; i < N; i++)
            check_near("wide", i, b[i], i % 7 + 1, 0);
    }
    return finish();
}

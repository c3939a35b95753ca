// At most num_gangs gangs run a loop, however many iterations it has: constants, numbers that only the run tells, one
// gang, more than there is work for, loops in several dimensions, gang(n), reductions, iterations that end early.
// expect: launches=11
// expect-stderr: launch \S+ kernel .* line=20 .* num_gangs=[1-3] .*
// expect-stderr: launch \S+ kernel .* line=31 .* num_gangs=1 .*
// expect-stderr: launch \S+ kernel .* line=31 .* num_gangs=[1-7] .*
// expect-stderr: launch \S+ kernel .* line=41 .* num_gangs=[1-5] .*
// expect-stderr: launch \S+ kernel .* line=51 .* num_gangs=[1-4] .*
// expect-stderr: launch \S+ kernel .* line=60 .* num_gangs=[1-6] .*
// expect-stderr: launch \S+ kernel .* line=67 .* num_gangs=[1-9] .*
#include "check.h"

#define N 10007
#define M 130

static float x[N], y[N], plane[M][M], product[M][M];

static void scale(float by)
{
#pragma acc parallel loop num_gangs(3) copyin(x) copyout(y)
    for (int i = 0; i < N; i++) {
        y[i] = by * x[i];
        if (i % 5)
            continue;
        y[i] += 1;
    }
}

static void shift(int gangs, float by)
{
#pragma acc parallel loop num_gangs(gangs) vector_length(64) copyin(x) copyout(y)
    for (int i = 1; i < N; i++)
        y[i] = x[i] + by;
    y[0] = by;
}

static void turn(int gangs)
{
    float(*out)[M] = product, (*in)[M] = plane;
    int m = M;
#pragma acc parallel loop collapse(2) num_gangs(gangs) copyin(in[0:M]) copyout(out[0:M])
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            out[j][i] = in[i][j];
}

static void twice(int gangs)
{
    float *a = &plane[0][0], *b = &product[0][0];
    int m = M;
#pragma acc parallel loop collapse(2) num_gangs(gangs) copyin(a[0:M * M]) copy(b[0:M * M])
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = 2 * a[i * m + j] + b[i * m + j];
}

static long sum(int gangs)
{
    long all = 0, most = -1;
#pragma acc parallel loop num_gangs(gangs) reduction(+ : all) reduction(max : most) copyin(x)
    for (int i = 0; i < N; i++) {
        all += (long)x[i];
        most = x[i] > most ? (long)x[i] : most;
    }
    check_int("most", gangs, most, N - 1);
    long rest = 0;
#pragma acc kernels loop independent gang(gangs + 3) vector(32) reduction(+ : rest) copyin(x)
    for (int i = N - 1; i >= 0; i -= 3)
        rest += (long)x[i];
    long want = 0;
    for (int i = N - 1; i >= 0; i -= 3)
        want += i;
    check_int("rest", gangs, rest, want);
    return all;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i;
    scale(0.5f);
    for (int i = 0; i < N; i++)
        check_near("y", i, y[i], 0.5f * i + (i % 5 == 0), 0);
    int sizes[] = {1, 7, 100000};
    for (int s = 0; s < 3; s++) {
        shift(sizes[s], s);
        for (int i = 0; i < N; i++)
            check_near("shifted", i, y[i], i + s, 0);
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            plane[i][j] = i * M + j;
    for (int gangs = 1; gangs <= 5; gangs += 4) {
        turn(gangs);
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                check_near("turned", i, product[j][i], i * M + j, 0);
    }
    twice(4);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            check_near("twice", i, product[i][j], 2 * (i * M + j) + j * M + i, 0);
    check_int("sum", 0, sum(6), (long)N * (N - 1) / 2);
    check_int("sum", 0, sum(1 << 20), (long)N * (N - 1) / 2);
    return finish();
}

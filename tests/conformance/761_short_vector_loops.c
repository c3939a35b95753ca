// Vector loops of known lengths in a gang: a block has no more lanes than the longest of them has iterations. Lengths around a
// warp, one that is none, two of different length that share values, sums, and one beside them whose length only the launch
// knows.
// On the cpu a block has one.
// expect: launches=5
// expect-stderr: ^launch .* vector_length=(64|1) 
// expect-stderr: ^launch .* vector_length=(32|1) 
// expect-stderr: ^launch .* vector_length=(96|1) 
// expect-stderr: ^launch .* vector_length=(128|1) 
#include "check.h"

#define N 75

static double a[N][300], sum[N];
static float f[N][300];
static int lengths[N];

int main(void)
{
    int n = N;
    for (int i = 0; i < N; i++)
        lengths[i] = i % 4;
    // 64 lanes, and every lane reads what others have written before.
#pragma acc parallel loop gang copy(a)
    for (int i = 0; i < n; i++) {
        double row[64];
        int twice = 2 * i;
#pragma acc loop vector
        for (int j = 0; j < 64; j++)
            row[j] = twice + j;
#pragma acc loop vector
        for (int j = 2; j < 42; j++)
            a[i][j] = row[j + 22] - row[j - 2];
    }
    // 32 lanes: five iterations, and none.
#pragma acc parallel loop gang copy(f)
    for (int i = 0; i < n; i++) {
        int k = i % 3;
#pragma acc loop vector
        for (int j = 0; j < 5; j++)
            f[i][j + k] = i + j;
#pragma acc loop vector
        for (int j = 7; j < 7; j++)
            f[i][j] = -1;
    }
    // 96 lanes: 65 iterations, counted down by three.
#pragma acc parallel loop gang copyout(sum) copyin(lengths)
    for (int i = 0; i < n; i++) {
        double s = lengths[i];
#pragma acc loop vector reduction(+:s)
        for (int j = 192; j >= 0; j -= 3)
            s += i * j;
        sum[i] = s;
    }
    for (int i = 0; i < N; i++) {
        double s = lengths[i];
        for (int j = 0; j <= 192; j += 3)
            s += i * j;
        check_near("sum", i, sum[i], s, 0);
    }
    // As many as ever: the second loop is long.
#pragma acc parallel loop gang copyout(sum) copyin(lengths)
    for (int i = 0; i < n; i++) {
        double s = lengths[i];
        int k = lengths[i];
#pragma acc loop vector reduction(+:s)
        for (int j = 0; j < 9; j++)
            s += j + k;
#pragma acc loop vector reduction(+:s)
        for (int j = 0; j < 300; j++)
            s += j;
        sum[i] = s;
    }
    for (int i = 0; i < N; i++) {
        check_near("long", i, sum[i], lengths[i] * 10.0 + 36 + 44850, 0);
        for (int j = 0; j < 300; j++) {
            check_near("a", i * 300L + j, a[i][j], j >= 2 && j < 42 ? 24 : 0, 0);
            int k = j - i % 3;
            check_near("f", i * 300L + j, f[i][j], k >= 0 && k < 5 ? i + k : 0, 0);
        }
    }
    // The clause says how many.
#pragma acc parallel loop gang copy(f) vector_length(128)
    for (int i = 0; i < n; i++) {
        int k = i % 3;
#pragma acc loop vector
        for (int j = 0; j < 5; j++)
            f[i][j + k] += 1;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 300; j++) {
            int k = j - i % 3;
            check_near("given", i * 300L + j, f[i][j], k >= 0 && k < 5 ? i + k + 1 : 0, 0);
        }
    return finish();
}

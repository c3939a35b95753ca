// routine vector: called by a gang, its loop runs across the lanes; one with a reduction.
// expect: launches=1 uploads=1 downloads=2
#include "check.h"

#define N 29
#define M 140

#pragma acc routine vector
static void scale_row(int n, const float *in, float *out, float factor)
{
#pragma acc loop vector
    for (int j = 0; j < n; j++)
        out[j] = factor * in[j];
}

#pragma acc routine vector
static float row_sum(int n, const float *in)
{
    float sum = 0.0f;
#pragma acc loop vector reduction(+ : sum)
    for (int j = 0; j < n; j++)
        sum += in[j];
    return sum;
}

static float a[N][M], b[N][M];

int main(void)
{
    float sums[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 3 + j) % 16;
#pragma acc parallel loop gang vector_length(64) copyin(a) copyout(b, sums)
    for (int i = 0; i < N; i++) {
        scale_row(M, a[i], b[i], 1.0f + i);
        sums[i] = row_sum(M, a[i]);
    }
    for (int i = 0; i < N; i++) {
        float sum = 0.0f;
        for (int j = 0; j < M; j++) {
            sum += a[i][j];
            check_near("b", i * M + j, b[i][j], (1.0f + i) * a[i][j], 0.0);
        }
        check_near("sums", i, sums[i], sum, 1e-6);
    }
    return finish();
}

// The loops of a routine are independent by rule, also where a kernels construct calls it (OpenACC 3.3 section 2.9.9).
// expect: launches>=1
#include "check.h"

#define N 512

static float A[4][N], B[N], want[4][N];

#pragma acc routine vector
static void shift(float *a, float s, int m)
{
    float t = s * 2;
#pragma acc loop vector
    for (int j = 0; j < m; j++)
        a[j] += t;
}

static void steps(float (*a)[N], float *b, int m)
{
#pragma acc kernels copy(a[0:4][0:N]) create(b[0:N])
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < m; j++)
            b[j] = a[k][j] * 0.5f;
        shift(a[k + 1], k, m);
        for (int j = 0; j < m; j++)
            a[k + 1][j] += b[j];
    }
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = want[i][j] = i + j;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < N; j++)
            want[k + 1][j] += k * 2 + want[k][j] * 0.5f;
    steps(A, B, N);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < N; j++)
            check_near("A", i * N + j, A[i][j], want[i][j], 1e-6);
    return finish();
}

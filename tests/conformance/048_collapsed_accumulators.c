// collapse over the loop that accumulates, and over loops inside it; subscripts by way of a variable.
#include "check.h"

#define N 20
#define K 33

static double A[N][K], B[K][N], C[N][N], D[N][N], W[N][N], r[N], wr[N], q[N], wq[N];
static int at[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        at[i] = (i * 7 + 3) % N;
        for (int k = 0; k < K; k++) {
            A[i][k] = (i + k) % 5;
            B[k][i] = (i * k) % 4 - 1;
        }
        for (int j = 0; j < N; j++)
            C[i][j] = D[i][j] = W[i][j] = i - j;
        r[i] = wr[i] = q[i] = wq[i] = i;
    }
#pragma acc parallel loop collapse(3) copyin(A, B) copy(C)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                C[i][j] += A[i][k] * B[k][j];
#pragma acc parallel loop tile(4, 4) copyin(A, B) copy(D)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
#pragma acc loop
            for (int k = 0; k < K; k++)
                D[i][j] += A[i][k] * B[k][j];
        }
#pragma acc parallel loop gang copyin(A) copy(r)
    for (int i = 0; i < N; i++) {
#pragma acc loop collapse(2)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                r[i] += A[j][k];
    }
#pragma acc parallel loop copyin(A, at) copy(q)
    for (int i = 0; i < N; i++) {
        int to = at[i];
#pragma acc loop
        for (int k = 0; k < K; k++)
            q[to] += A[i][k];
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < K; k++) {
            for (int j = 0; j < N; j++) {
                W[i][j] += A[i][k] * B[k][j];
                wr[i] += A[j][k];
            }
            wq[at[i]] += A[i][k];
        }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            check_near("C", i * N + j, C[i][j], W[i][j], 1e-12);
            check_near("D", i * N + j, D[i][j], W[i][j], 1e-12);
        }
        check_near("r", i, r[i], wr[i], 1e-12);
        check_near("q", i, q[i], wq[i], 1e-12);
    }
    return finish();
}

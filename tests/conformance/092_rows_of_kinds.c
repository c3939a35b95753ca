// Arrays of pointers to rows as programs have them: global, of arrays, const and restrict parameters, bytes, handed to
// routines, under a condition that is false, walked through by pointers, in host_data, in kernels.
// expect: launches=7
#include <stdlib.h>
#include "check.h"

static double **G;
static unsigned char *img[6];
static float *A4[3][4];

static void inc(double **restrict A, const double *const *B, int n, int m)
{
#pragma acc parallel loop gang copy(A[0:n][0:m]) copyin(B[0:n][0:m])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            A[i][j] += B[i][j];
    }
}

#pragma acc routine seq
static double total(double **A, int i, int m)
{
    double s = 0;
    for (int j = 0; j < m; j++)
        s += A[i][j];
    return s;
}

int main(void)
{
    int n = 5, m = 7;
    G = malloc(n * sizeof *G);
    for (int i = 0; i < n; i++) {
        G[i] = malloc(m * 8);
        for (int j = 0; j < m; j++)
            G[i][j] = i * m + j;
    }
    double **B = malloc(n * sizeof *B);
    for (int i = 0; i < n; i++) {
        B[i] = malloc(m * 8);
        for (int j = 0; j < m; j++)
            B[i][j] = 1;
    }
    inc(G, (const double *const *)B, n, m);
    for (int k = 0; k < n * m; k++)
        check_near("G", k, G[k / m][k % m], k + 1, 0);
#pragma acc parallel loop copy(G[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            G[i][j] -= 1;
    for (int k = 0; k < n * m; k++)
        check_near("G2", k, G[k / m][k % m], k, 0);
    double sum[5];
#pragma acc parallel loop copyin(G[0:n][0:m]) copyout(sum)
    for (int i = 0; i < n; i++)
        sum[i] = total(G, i, m);
    for (int i = 0; i < n; i++)
        check_near("sum", i, sum[i], i * m * m + m * (m - 1) / 2, 0);
    for (int i = 0; i < 6; i++) {
        img[i] = malloc(11);
        for (int j = 0; j < 11; j++)
            img[i][j] = i + j;
    }
#pragma acc parallel loop copy(img[0:6][0:11])
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 11; j++)
            img[i][j] *= 2;
    for (int k = 0; k < 66; k++)
        check_near("img", k, img[k / 11][k % 11], 2 * (k / 11 + k % 11), 0);
    for (int k = 0; k < 12; k++) {
        A4[k / 4][k % 4] = malloc(m * 4);
        for (int j = 0; j < m; j++)
            A4[k / 4][k % 4][j] = k + j;
    }
#pragma acc parallel loop collapse(2) copy(A4[0:3][0:4][0:m])
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < m; j++)
                A4[i][k][j] += 1;
    for (int k = 0; k < 12; k++)
        for (int j = 0; j < m; j++)
            check_near("A4", k * m + j, A4[k / 4][k % 4][j], k + j + 1, 0);
    int on = 0;
#pragma acc parallel loop copy(G[0:n][0:m]) if(on)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            G[i][j] += 5;
    for (int k = 0; k < n * m; k++)
        check_near("G3", k, G[k / m][k % m], k + 5, 0);
    /* the diagonal, in serial and by pointers */
#pragma acc serial copy(G[0:n][0:m])
    {
        double **g = G;
        for (int i = 0; i < n; i++, g++)
            (*g)[i] = -1;
    }
    for (int i = 0; i < n; i++)
        check_near("diagonal", i, G[i][i], -1, 0);
#pragma acc data copyin(G[0:n][0:m])
    {
#pragma acc host_data use_device(G)
        {
            check_near("use_device", 0, G == 0, 0, 0);
        }
#pragma acc kernels loop independent collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                G[i][j] = 3;
#pragma acc update self(G[0:n][0:m])
    }
    for (int k = 0; k < n * m; k++)
        check_near("G4", k, G[k / m][k % m], 3, 0);
    return finish();
}

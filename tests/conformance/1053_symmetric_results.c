// Each element of a symmetric result is computed once and written twice, in a triangle: gangs have lines of it, whose lanes share what is
// left of a line, though as many accesses are contiguous in the loop around it.
// expect-remark: loop gang /\* blockIdx.x \*/
// expect-remark: loop vector\(128\) /\* threadIdx.x \*/
// expect-remark: Schedule fallback: of loops inside one iteration after the other, where not m > 0
// expect: launches=3
// devices: cpu cuda opencl
#include "check.h"
#include <stdlib.h>

#define N 90
#define M 150

static void covariance(int m, int n, const double *restrict data, double *restrict sym)
{
#pragma acc kernels copyin(data[0 : n * m]) copyout(sym[0 : m * m])
    for (int j = 0; j < m; j++)
        for (int k = j; k < m; k++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += data[i * m + j] * data[i * m + k];
            sym[j * m + k] = sum;
            sym[k * m + j] = sum;
        }
}

static void correlation(int m, int n, const double *restrict data, double *restrict sym)
{
#pragma acc kernels copyin(data[0 : n * m]) copyout(sym[0 : m * m])
    for (int j = 0; j < m; j++) {
        sym[j * m + j] = 1;
        for (int k = 0; k < j; k++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += data[i * m + j] * data[i * m + k];
            sym[j * m + k] = sum;
            sym[k * m + j] = sum;
        }
    }
}

int main(void)
{
    double *data = malloc(N * M * sizeof *data), *sym = malloc(M * M * sizeof *sym);
    for (int i = 0; i < N * M; i++)
        data[i] = (i * 37 % 101) * 0.125;
    for (int turn = 0; turn < 3; turn++) {
        int m = turn == 2 ? M - 33 : M, n = turn == 2 ? N * M / m - 1 : N;
        if (turn == 1)
            correlation(m, n, data, sym);
        else
            covariance(m, n, data, sym);
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++) {
                double sum = 0;
                for (int i = 0; i < n; i++)
                    sum += data[i * m + j] * data[i * m + k];
                check_near("sym", j * m + k, sym[j * m + k], turn == 1 && j == k ? 1 : sum, 1e-12);
            }
    }
    return finish();
}

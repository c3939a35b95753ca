// Arrays that iterations have to themselves, by a clause or a declaration, carry nothing from one to the next; what a gang
// shares among its lanes does.
#include "check.h"

#define N 60
#define M 16

static double a[N][M], out[6][N], want[6][N];

int main(void)
{
    double tmp[M], start[M];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 3 + j * 5) % 13;
    for (int j = 0; j < M; j++)
        start[j] = tmp[j] = j;

#pragma acc parallel loop gang vector private(tmp) copyin(a) copyout(out[0:1])
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < M; k++)
            tmp[k] = a[i][k] * k;
        for (int k = 1; k < M; k++)
            tmp[k] += tmp[k - 1];
        out[0][i] = tmp[M - 1];
    }
#pragma acc parallel private(tmp) copyin(a) copyout(out[1:1])
    {
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
#pragma acc loop vector
            for (int k = 0; k < M; k++)
                tmp[k] = a[i][k] + k;
            double s = 0;
#pragma acc loop vector reduction(+ : s)
            for (int k = 0; k < M; k++)
                s += tmp[M - 1 - k] * k;
            out[1][i] = s;
        }
    }
#pragma acc parallel firstprivate(start) copyin(a) copyout(out[2:1])
    {
#pragma acc loop gang
        for (int i = 0; i < N; i++)
            out[2][i] = start[i % M] + a[i][0];
    }
    // Shared by the lanes of a gang: a sum, and a recurrence.
#pragma acc parallel loop gang copyin(a) copyout(out[3:2])
    for (int i = 0; i < N; i++) {
        double t[2];
        t[0] = 1;
        t[1] = 2;
#pragma acc loop vector
        for (int k = 0; k < M; k++)
            t[0] += a[i][k];
#pragma acc loop vector
        for (int k = 0; k < M; k++)
            t[1] = t[1] * 0.5 + a[i][k];
        out[3][i] = t[0];
        out[4][i] = t[1];
    }
#pragma acc kernels loop copyin(a) copyout(out[5:1])
    for (int i = 0; i < N; i++) {
        double t[M];
#pragma acc loop private(tmp)
        for (int k = 0; k < M; k++) {
            for (int l = 0; l < M; l++)
                tmp[l] = a[i][l] * k;
            double s = 0;
            for (int l = 0; l < M; l++)
                s += tmp[l];
            t[k] = s;
        }
        out[5][i] = t[0] + t[M - 1];
    }

    for (int i = 0; i < N; i++) {
        want[3][i] = 1;
        want[4][i] = 2;
        double s = 0;
        for (int k = 0; k < M; k++) {
            want[0][i] += a[i][k] * k;
            want[1][i] += (a[i][M - 1 - k] + M - 1 - k) * k;
            want[3][i] += a[i][k];
            want[4][i] = want[4][i] * 0.5 + a[i][k];
            s += a[i][k];
        }
        want[2][i] = start[i % M] + a[i][0];
        want[5][i] = s * (M - 1);
    }
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < N; i++)
            check_near("out", k * 100 + i, out[k][i], want[k][i], 1e-12);
    return finish();
}

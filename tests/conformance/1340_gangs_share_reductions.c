// Clauses that count gangs and workers leave it open how many blocks of the device a gang has: on CUDA, blocks share the long loops of few
// iterations (`split_reduction`), rows and columns, as where no clause counts. One gang alone, and vectors of a given length, are left as they are.
// expect: launches=8
// expect-remark: Schedule split: grid\(i:x\) block\(4, 128\) split_reduction\(4, 128\)
// expect-remark: Schedule split: grid\(j:x\) block\(32, 16\) split_reduction\(32, 16\)
#include "check.h"

enum { N = 700, M = 900 };
static double a[N][M], x[M], y[N], z[M], one[N], wide[N];

static void rows_and_columns(int n, int m, int few)
{
#pragma acc data copyin(a, x) copyout(z) copy(y)
    {
#pragma acc parallel present(a, x, y) num_gangs(n / 100) num_workers(100)
        {
#pragma acc loop gang worker
            for (int i = 0; i < n; i++) {
                y[i] = 0;
#pragma acc loop seq
                for (int j = 0; j < m; j++)
                    y[i] = y[i] + a[i][j] * x[j];
            }
        }
#pragma acc parallel loop present(a, y, z) num_gangs(few)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += y[i] * a[i][j];
            z[j] = sum;
        }
    }
}

/* One gang, and the lanes that are asked for. */
static void as_asked(int n, int m)
{
#pragma acc parallel loop copyin(a, x) copyout(one) num_gangs(1)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        one[i] = sum;
    }
#pragma acc parallel loop gang vector copyin(a, x) copyout(wide) num_gangs(8) vector_length(64)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        wide[i] = sum;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 7 + j * 3) % 23 / 23.0;
    for (int j = 0; j < M; j++)
        x[j] = j % 11 / 11.0 - 0.25;
    for (int few = 1; few < 34; few += 16) {
        rows_and_columns(N, M, few);
        for (int i = 0; i < N; i++) {
            double want = 0;
            for (int j = 0; j < M; j++)
                want += a[i][j] * x[j];
            check_near("y", i, y[i], want, 1e-12);
        }
        for (int j = 0; j < M; j++) {
            double want = 0;
            for (int i = 0; i < N; i++)
                want += y[i] * a[i][j];
            check_near("z", j, z[j], want, 1e-12);
        }
    }
    as_asked(N, M);
    for (int i = 0; i < N; i++) {
        check_near("one", i, one[i], y[i], 1e-12);
        check_near("wide", i, wide[i], y[i], 1e-12);
    }
    return finish();
}

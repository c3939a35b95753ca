// Variables that a function declares at its top, and each iteration sets before it reads them: rows that they subscript are
// spread over lanes, and loops that only they could make dependent are parallel. Others keep their values.
// devices: cpu opencl cuda
// expect: launches=4
#include "check.h"

#define N 60
#define M 45

static void rows(int n, int m, double *a, const double *b, const int *next)
{
    int i, j, k;
    double t;
#pragma acc parallel loop present(a[0:n * m], b[0:n * m], next[0:m]) private(i, k, t)
    for (j = 0; j < n; j++) {
        for (i = 0; i < m; i++) {
            k = i + m * j;
            t = b[next[i] + m * j];
            a[k] = b[k] + t;
            if (a[k] > 50)
                a[k] = t;
        }
    }
}

// The last value of k is read after the construct, that of t is not.
static int last(int n, double *restrict a, const double *restrict b)
{
    int i, k = -1;
    double t;
#pragma acc kernels present(a[0:n], b[0:n])
    for (i = 0; i < n; i++) {
        t = 2 * b[i];
        k = 3 * i;
        a[i] = t + k;
    }
    return k;
}

// The first iteration alone sets `first`, and `before` is what the iteration before has left.
static double ordered(int n, double *a)
{
    int i, k;
    double first = 7, before = 1, sum = 0;
#pragma acc parallel num_gangs(1) present(a[0:n]) copy(sum)
    {
#pragma acc loop seq
        for (i = 0; i < n; i++) {
            if (i == 0)
                first = a[0] + 1;
            k = i;
            sum += first * before + k;
            before = a[i];
            k = 5;
        }
    }
    return sum;
}

// A step that uses what the body sets, and blocks that each set it.
static void steps(int n, int *a)
{
    int k, s;
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (s = 0; s < 20; s += k) {
            k = 1 + (s + i) % 3;
            sum += k;
        }
        if (i % 2) {
            k = i * 2;
            sum += k;
        } else {
            k = i * 3;
            sum -= k;
        }
        a[i] = sum;
    }
}

static double a[N * M], b[N * M], a_ok[N * M];
static int next[M], c[N], c_ok[N];

int main(void)
{
    for (int i = 0; i < N * M; i++)
        b[i] = i % 37;
    for (int i = 0; i < M; i++)
        next[i] = (i * 7) % M;
    int k;
    double sum, expected = 0;
#pragma acc data copy(a, c) copyin(b, next)
    {
        rows(N, M, a, b, next);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                double t = b[next[i] + M * j];
                a_ok[i + M * j] = b[i + M * j] + t > 50 ? t : b[i + M * j] + t;
            }
#pragma acc update self(a)
        for (int i = 0; i < N * M; i++)
            check_near("a", i, a[i], a_ok[i], 1e-15);
        k = last(N, a, b);
        check_near("k", 0, k, 3 * (N - 1), 0);
#pragma acc update self(a)
        for (int i = 0; i < N; i++)
            check_near("a", i, a[i], 2 * b[i] + 3 * i, 1e-15);
        sum = ordered(N, a);
        double before = 1;
        for (int i = 0; i < N; i++) {
            expected += (a[0] + 1) * before + i;
            before = a[i];
        }
        check_near("sum", 0, sum, expected, 1e-15);
        steps(N, c);
    }
    for (int i = 0; i < N; i++) {
        int all = 0, step;
        for (int s = 0; s < 20; s += step) {
            step = 1 + (s + i) % 3;
            all += step;
        }
        c_ok[i] = i % 2 ? all + 2 * i : all - 3 * i;
        check_near("c", i, c[i], c_ok[i], 0);
    }
    return finish();
}

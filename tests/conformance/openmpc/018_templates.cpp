// Regions in function templates run on the device where all instances need the same code; where they need different code they
// stay with the host's threads.
// expect: launches=6
#include "../check.h"

#define N 20000

template <typename T> void copy(T *to, const T *from, int n)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

template <typename T, int K> T sum(const T *of, int n)
{
    T total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += of[i] * K;
    return total;
}

template <typename T> void shift(T *of, int n)
{
    int i;
    T last;
#pragma omp parallel for private(i, last)
    for (i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            last = of[i];
            of[i] = last + 1;
        }
    }
}

int main()
{
    float *a = new float[N], *b = new float[N];
    double *c = new double[N], *d = new double[N];
    for (int i = 0; i < N; i++) {
        a[i] = i % 10;
        c[i] = i % 5;
    }
    copy(b, a, N);
    copy(d, c, N);
    check_near("sum", 0, sum<float, 2>(b, N), 2 * 90000, 0);
    check_near("sum", 1, sum<float, 3>(a, N), 3 * 90000, 0);
    check_near("sum", 2, sum<double, 2>(d, N), 2 * 40000, 0);
    shift(b, N);
    shift(d, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] += b[i] + d[i];
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], 2 * (i % 10) + i % 5 + 6, 0);
    return finish();
}

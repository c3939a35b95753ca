// What a loop does at its ends, by conditions on its index: short loops, ends that meet, bounds beyond the loop's.
// expect: launches=237
#include "check.h"

enum { N = 40 };

static void both(int lower, int n, int m, const int *restrict a, int *restrict b)
{
#pragma acc parallel loop copyin(a[:N]) copy(b[:N])
    for (int i = lower; i < n; i++) {
        int sum = a[i];
        if (i > 0 && a[i - 1] != 7)
            sum += a[i - 1];
        if (m > i + 0 && i + 1 <= N - 1)
            sum += 3 * a[i + 1];
        int inside = i >= 2 && i <= m ? a[i - 2] : -5;
        b[i] = 3 <= i ? sum - inside * a[i - 3] : sum * inside;
    }
}

static int expected(int i, int m, const int *a)
{
    int sum = a[i];
    if (i > 0 && a[i - 1] != 7)
        sum += a[i - 1];
    if (m > i && i + 1 <= N - 1)
        sum += 3 * a[i + 1];
    int inside = i >= 2 && i <= m ? a[i - 2] : -5;
    return 3 <= i ? sum - inside * a[i - 3] : sum * inside;
}

/* Two dimensions, long indices, and a condition that the loop changes. */
static void rows(long n, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop collapse(2) copyin(a[:n * n]) copyout(b[:n * n])
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            long limit = a[i * n + j] > 4.0 ? 1 : n - 1;
            double left = j > 0 ? a[i * n + j - 1] : 0.0, right = j < n - 1 ? a[i * n + j + 1] : 0.0;
            double up = i >= 1 ? a[(i - 1) * n + j] : 0.0;
            b[i * n + j] = j < limit ? left + right + up : left - right;
        }
}

int main(void)
{
    static int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = (i * 31) % 11;
    int sizes[] = {0, 1, 2, 3, 4, 17, 39, 40};
    int limits[] = {-3, 0, 1, 2, 3, 16, 39, 40, 100};
    for (int s = 0; s < 8; s++)
        for (int l = 0; l < 9; l++)
            for (int lower = 0; lower < 5; lower++) {
                for (int i = 0; i < N; i++)
                    b[i] = -77;
                both(lower, sizes[s], limits[l], a, b);
                for (int i = 0; i < N; i++)
                    check_int("b", i, b[i], i >= lower && i < sizes[s] ? expected(i, limits[l], a) : -77);
            }
    for (long n = 1; n < 13; n++) {
        double x[144], y[144];
        for (int i = 0; i < n * n; i++)
            x[i] = (i * 17) % 9;
        rows(n, x, y);
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                long limit = x[i * n + j] > 4.0 ? 1 : n - 1;
                double left = j > 0 ? x[i * n + j - 1] : 0.0, right = j < n - 1 ? x[i * n + j + 1] : 0.0;
                double up = i >= 1 ? x[(i - 1) * n + j] : 0.0;
                check_near("y", i * n + j, y[i * n + j], j < limit ? left + right + up : left - right, 0.0);
            }
    }
    return finish();
}

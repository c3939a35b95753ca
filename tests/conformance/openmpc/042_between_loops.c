// Scalars that are computed between the loops of a nest, whose outermost loop alone is shared.
// expect: launches=6
#include "../check.h"

#define N 67
#define M 90

static double a[N][M], b[N][M], row[N];
static int order[N];

int main(void)
{
    int i, j, k;
    double s, sum = 0, want = 0;
    for (i = 0; i < N; i++) {
        row[i] = i * 0.5;
        order[i] = i * 7 % N;
        for (j = 0; j < M; j++)
            a[i][j] = i - j;
    }
    /* Spread over both loops. */
#pragma omp parallel for private(i, j, k)
    for (i = 0; i < N; i++) {
        k = i % 5 * 3 + 1;
        for (j = 0; j < M; j++)
            b[i][j] = a[i][j] * k;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            check_near("b", i * M + j, b[i][j], (i - j) * (i % 5 * 3.0 + 1), 0);
    /* Values from memory. */
#pragma omp parallel for private(i, j, k, s)
    for (i = 0; i < N; i++) {
        k = order[i];
        s = row[i];
        for (j = 0; j < M; j++)
            b[k][j] = a[i][j] * s;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            check_near("row", i * M + j, b[i * 7 % N][j], (i - j) * (i * 0.5), 0);
    /* The inner loop's length and the scalar depend on the outer one. */
#pragma omp parallel for private(i, j, k)
    for (i = 0; i < N; i++) {
        k = i + 1;
        for (j = 0; j < k; j++)
            b[i][j] = k;
    }
    for (i = 0; i < N; i++)
        check_near("length", i, b[i][i], i + 1.0, 0);
    /* What the inner loop counts with has another value before it. */
#pragma omp parallel for private(i, j, k)
    for (i = 0; i < N; i++) {
        j = 3;
        k = j + i;
        for (j = 0; j < M; j++)
            b[i][j] = k;
    }
    for (i = 0; i < N; i++)
        check_near("before", i, b[i][M - 1], i + 3.0, 0);
    /* The inner loop goes on with it. */
#pragma omp parallel for private(i, j, k)
    for (i = 0; i < N; i++) {
        k = i + 2;
        for (j = 0; j < M; j++) {
            a[i][j] = k;
            k = k + j;
        }
    }
    for (i = 0; i < N; i++)
        check_near("carried", i, a[i][M - 1], i + 2.0 + (M - 2) * (M - 1) / 2, 0);
#pragma omp parallel for private(i, j, k) reduction(+ : sum)
    for (i = 0; i < N; i++) {
        k = i % 5;
        for (j = 0; j < M; j++)
            sum += a[i][j] * k;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            want += a[i][j] * (i % 5);
    check_near("sum", 0, sum, want, 1e-12);
    return finish();
}

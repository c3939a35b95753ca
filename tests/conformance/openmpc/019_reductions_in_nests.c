// Loops inside a loop that reduces are spread over the whole nest where they reduce the same; and what each iteration adds up for
// itself is added up in order.
// expect: launches=4
#include "../check.h"
#include <math.h>

#define N 300

static float a[N][N], b[N][N];
static double rows[N];

int main(void)
{
    float error = 0, low = 100;
    double sum = 0;
    int i, j, odd = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            a[i][j] = (i * 31 + j * 7) % 101;
            b[i][j] = i == 77 && j == 78 ? -3 : a[i][j] + (i + j) % 3;
        }
#pragma omp parallel for private(j) reduction(max : error) reduction(min : low)
    for (i = 1; i < N - 1; i++)
        for (j = 1; j < N - 1; j++) {
            float d = fabsf(a[i][j] - b[i][j]);
            if (d > error)
                error = d;
            low = fminf(low, b[i][j]);
            a[i][j] = b[i][j];
        }
    check_near("error", 0, error, (77 * 31 + 78 * 7) % 101 + 3, 0);
    check_near("low", 0, low, -3, 0);
#pragma omp parallel for private(i, j) reduction(+ : sum, odd)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            sum += b[i][j];
            if ((i + j) % 2)
                odd++;
        }
    double want = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            want += b[i][j];
    check_near("sum", 0, sum, want, 0);
    check_int("odd", 0, odd, N * N / 2);
#pragma omp parallel for private(j)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            rows[i] += b[j][i];
    // A sum that the inner loop also reads is no reduction.
    float last = 0;
#pragma omp parallel for private(j) lastprivate(last)
    for (i = 0; i < N; i++) {
        last = 0;
        for (j = 0; j < N; j++)
            last = last * 0.5f + b[i][j];
    }
    float then = 0;
    for (j = 0; j < N; j++)
        then = then * 0.5f + b[N - 1][j];
    check_near("last", 0, last, then, 0);
    for (i = 0; i < N; i++) {
        want = 0;
        for (j = 0; j < N; j++)
            want += b[j][i];
        check_near("row", i, rows[i], want, 0);
    }
    return finish();
}

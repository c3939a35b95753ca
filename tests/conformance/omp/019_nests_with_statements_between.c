// Joined loops with statements between them, and with bounds that depend on an outer one (OpenMP 5.2 §4.4.1, §4.4.2).
// expect: launches=4
#include "../check.h"

#define N 37

static int a[N][N], b[N], last_i, last_j;

int main(void)
{
    int runs = 0;
#pragma omp target teams distribute parallel for collapse(2) map(from: a, b)
    for (int i = 0; i < N; i++) {
        b[i] = i;
        for (int j = 0; j < N; j++)
            a[i][j] = i * j;
    }
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a) reduction(+ : runs)
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) {
            a[i][j] += 1;
            runs++;
        }
    for (int i = 0; i < N; i++) {
        check_int("between", i, b[i], i);
        for (int j = 0; j < N; j++)
            check_int("triangle", i * N + j, a[i][j], i * j + (j >= i));
    }
    check_int("iterations", 0, runs, N * (N + 1) / 2);

    int x = 0;
#pragma omp target teams distribute parallel for collapse(3) map(tofrom: a) lastprivate(x) private(last_j)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            last_j = j;
            for (int k = 0; k < 2; k++) {
                x = i * 100 + j + k;
                if (k == 1)
                    a[i][j] = last_j;
            }
        }
    check_int("lastprivate", 0, x, (N - 1) * 100 + N - 1 + 1);
    for (int i = 0; i < N * N; i++)
        check_int("three loops", i, a[i / N][i % N], i % N);

    int i, k;
#pragma omp target teams distribute parallel for lastprivate(i) private(k) map(from: b)
    for (i = 0; i < N; i++) {
        b[i] = 0;
        for (k = 0; k < 3; k++)
            b[i] += k;
    }
    check_int("the variable of the outer loop", 0, i, N);
    for (int at = 0; at < N; at++)
        check_int("the inner loop", at, b[at], 3);
    return finish();
}

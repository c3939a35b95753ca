// Threads that are told apart deal among themselves the iterations of all joined loops, not those of the outermost alone.
#include "../check.h"

#include <omp.h>

enum { N = 3, M = 210, K = 5 };

static int a[N][M][K];

int main(void)
{
    int i, j, k, threads = 0, ran[64] = {0}, bins[7] = {0}, last = 0, upper = M;
#pragma omp target teams map(tofrom: a, ran, threads) num_teams(1) thread_limit(64)
#pragma omp distribute parallel for collapse(3) num_threads(64)
    for (i = 0; i < N; i++)
        for (j = M - 1; j >= 0; j -= 2)
            for (k = 1; k < K; k++) {
                a[i][j][k] += 100 * i + 10 * j + k;
                ran[omp_get_thread_num()] = 1;
                threads = omp_get_num_threads();
            }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            for (k = 0; k < K; k++)
                check_int("a", j, a[i][j][k], k > 0 && j % 2 ? 100 * i + 10 * j + k : 0);
    for (i = 0; i < threads; i++)
        check_int("ran", i, ran[i], 1);
    // Loops of which a thread gets several iterations at a time, and what the last one leaves.
#pragma omp target parallel for collapse(2) reduction(+: bins) lastprivate(i, j, last) schedule(static, 3) map(from: i, j)
    for (i = 0; i < N; i++)
        for (j = 0; j < upper; j++) {
            bins[(i * j) % 7]++;
            last = 1000 * i + j;
        }
    check_int("i", 0, i, N);
    check_int("j", 0, j, M);
    check_int("last", 0, last, 1000 * (N - 1) + M - 1);
    // No iterations, and rows that differ in length.
    upper = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+: bins)
    for (i = 0; i < N; i++)
        for (j = 0; j < upper; j++)
            bins[omp_get_thread_num() % 7]++;
#pragma omp target parallel for collapse(2) reduction(+: bins)
    for (i = 0; i < N; i++)
        for (j = i; j < M; j++)
            bins[(i * j) % 7]++;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            bins[(i * j) % 7] -= j >= i ? 2 : 1;
    for (k = 0; k < 7; k++)
        check_int("bins", k, bins[k], 0);
    return finish();
}

// What a loop that a block's threads share leaves (`lastprivate`, its counters among it) all of them see behind it.
#include "../check.h"

#include <omp.h>

enum { N = 40, M = 30 };

static int a[N][M];

#pragma omp declare target
static void add(int (*p)[M], int n, int m)
{
#pragma omp for collapse(2) schedule(static, 5)
    for (unsigned i = 0; i < (unsigned)n; i++)
        for (long j = m - 1; j >= 0; j--)
            p[i][j] += (int)(i * 100 + j) + 0 * omp_get_thread_num();
}
#pragma omp end declare target

int main(void)
{
    int i, j, n = N, m = M, last = 0, seen[8] = {0}, right[8] = {0};
#pragma omp target parallel map(tofrom: seen) num_threads(8)
    {
#pragma omp for lastprivate(last, i)
        for (i = 2; i < 40; i += 3)
            last = i;
        seen[omp_get_thread_num()] = 100 * i + last;
    }
#pragma omp target parallel map(tofrom: a, right) num_threads(8)
    {
        add(a, n, m);
#pragma omp for collapse(2) lastprivate(last, i, j) nowait
        for (i = 2; i < N; i += 3)
            for (j = 1; j <= M - 1; j += 2) {
                a[i][j] += 1000;
                last = i * 100 + j;
            }
#pragma omp barrier
        right[omp_get_thread_num()] = i == 41 && j == 31 && last == 38 * 100 + 29;
    }
    for (int t = 0; t < 8; t++) {
        check_int("seen", t, seen[t], 4138);
        check_int("right", t, right[t], 1);
    }
    for (int x = 0; x < N; x++)
        for (int y = 0; y < M; y++)
            check_int("a", x * M + y, a[x][y], x * 100 + y + (x % 3 == 2 && y % 2 ? 1000 : 0));
    return finish();
}

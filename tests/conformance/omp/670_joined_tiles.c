// A directive before `tile` joins more loops than those over tiles: those within tiles, and loops of the body.
// expect: launches=4
#include "../check.h"

#define N 23
#define M 17

static int seen[N * M];

static void once(const char *what, int first, int by, int from, int step)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            int visited = i >= first && (i - first) % by == 0 && j >= from && (j - from) % step == 0;
            check_int(what, i * M + j, seen[i * M + j], visited ? i + 2 * j + 1 : 0);
            seen[i * M + j] = 0;
        }
    }
}

int main(void)
{
    int i, n = N, m = M, sum = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : seen) reduction(+ : sum)
#pragma omp tile sizes(4)
    for (int i = 0; i < n; i++) {
        sum += i;
        for (int j = 0; j < m; j++)
            seen[i * M + j] += i + 2 * j + 1;
    }
    once("one loop", 0, 1, 0, 1);
    check_int("sum", 0, sum, N * (N - 1) / 2);

#pragma omp target teams distribute parallel for collapse(3) map(tofrom : seen)
#pragma omp tile sizes(5)
    for (i = n - 1; i >= 2; i -= 3) {
        for (int j = 1; j < m; j += 4) {
            if (j == 9)
                continue;
            seen[i * M + j] += i + 2 * j + 1;
        }
    }
    for (i = 4; i < N; i += 3)
        seen[i * M + 9] += i + 2 * 9 + 1;
    once("a loop of the body", 4, 3, 1, 4);

#pragma omp target teams distribute parallel for collapse(4) map(tofrom : seen)
#pragma omp tile sizes(4, 3)
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 0; --j)
            seen[i * M + j] += i + 2 * j + 1;
    once("two loops", 0, 1, 0, 1);

#pragma omp target teams distribute parallel for collapse(3) map(tofrom : seen)
#pragma omp tile sizes(2, 6)
    for (unsigned i = 0; i < N; i += 2)
        for (int j = 0; j < m; j++)
            seen[i * M + j] += i + 2 * j + 1;
    once("one of two", 0, 2, 0, 1);

#pragma omp parallel for collapse(2)
#pragma omp tile sizes(3)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            seen[i * M + j] += i + 2 * j + 1;
    once("on the host", 1, 1, 0, 1);
    return finish();
}

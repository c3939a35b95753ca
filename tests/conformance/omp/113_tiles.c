// `tile`: the order of iterations is that of the tiles, on the host and on the device, in partial tiles and in falling loops,
// too; a directive before it divides the loops over tiles.
// expect: launches=3
#include "../check.h"

#define N 10
#define M 7

static int order[N * M], expected[N * M];

static void rising(int rows, int columns)
{
    int c = 0;
    for (int ii = 0; ii < N; ii += rows)
        for (int jj = 0; jj < M; jj += columns)
            for (int i = ii; i < ii + rows && i < N; i++)
                for (int j = jj; j < jj + columns && j < M; j++)
                    expected[c++] = i * M + j;
}

static void compare(const char *what)
{
    int same = 1;
    for (int i = 0; i < N * M; i++) {
        same &= order[i] == expected[i];
        order[i] = -1;
    }
    check_true(what, same);
}

int main(void)
{
    int c = 0, steps[9], n = N;
    rising(4, 3);
#pragma omp tile sizes(4, 3)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            order[c++] = i * M + j;
    compare("on the host");
    c = 0;
#pragma omp target map(tofrom : order, c)
    {
        int j;
#pragma omp tile sizes(2, 5)
        for (int i = 0; i < n; i++) {
            for (j = 0; j <= M - 1; ++j) {
                order[c++] = i * M + j;
            }
        }
    }
    rising(2, 5);
    compare("on the device");
    c = 0;
#pragma omp tile sizes(2, 2)
    for (unsigned k = 7; k >= 2; k -= 2)
        for (unsigned l = 3; l > 0; l--)
            steps[c++ % 9] = (int)(10 * k + l);
    static const int falling[9] = {73, 72, 53, 52, 71, 51, 33, 32, 31};
    for (int i = 0; i < 9; i++)
        check_int("a falling loop", i, steps[i], falling[i]);
    int sum[N][M] = {{0}};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : sum)
#pragma omp tile sizes(4, 4)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum[i][j] += i - j;
#pragma omp target parallel for map(tofrom : sum)
#pragma omp tile sizes(3)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum[i][j] += 1;
#pragma omp parallel for collapse(2)
#pragma omp tile sizes(3, 2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum[i][j] += 1;
    int right = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            right &= sum[i][j] == i - j + 2;
    check_true("tiles that threads share", right);
    return finish();
}

// Variables of the file that functions change or read which a loop calls: they come back, and are reduced by nobody else.
// expect: launches=3
#include "../check.h"

#define N 100

static int flag, total, a[N], limit = 50;

static void mark(int i)
{
    if (i == limit)
        flag++;
    a[i] += limit;
}
static int so_far(void) { return total; }
static void count(int i)
{
#pragma omp atomic
    total += i;
}

int main(void)
{
    int wrong = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        mark(i);
    check_int("flag", 0, flag, 1);
    limit = 60;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        mark(i);
#pragma omp critical
        total += 1;
    }
    check_int("flag", 1, flag, 2);
    check_int("total", 1, total, N);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        count(i);
    check_int("total", 2, total, N + N * (N - 1) / 2);
    // What has been added so far is read, too.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            total += 1;
        }
        if (so_far() <= N)
            wrong = 1;
    }
    check_int("total", 3, total, 2 * N + N * (N - 1) / 2);
    check_int("wrong", 0, wrong, 0);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 110);
    return finish();
}

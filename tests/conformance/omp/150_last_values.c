// Threads of a team set a variable of the team: `lastprivate` gives it the last iteration's value, and what one thread alone sets
// in a shared variable is there behind the loop.
// expect: launches=5
#include "../check.h"

#define ROWS 40
#define N 100

static int a[ROWS * N];
static int out[ROWS];

static int place(int i)
{
    return i % 5 ? (i * 7) % N : -1;
}

static int last(int i)
{
    return N - 1 + i;
}

static void check(const char *what, int (*expected)(int))
{
    for (int i = 0; i < ROWS; i++)
        check_near(what, i, out[i], expected(i), 0);
}

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = j == place(i);

#pragma omp target teams distribute map(to : a) map(from : out)
    for (int i = 0; i < ROWS; i++) {
        int found = -1;
#pragma omp parallel for
        for (int j = 0; j < N; j++)
            if (a[i * N + j])
                found = j;
        out[i] = found;
    }
    check("shared", place);

#pragma omp target teams distribute map(from : out)
    for (int i = 0; i < ROWS; i++) {
        int t = -1;
#pragma omp parallel for lastprivate(t)
        for (int j = 0; j < N; j++)
            t = j + i;
        out[i] = t;
    }
    check("lastprivate", last);

#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < ROWS; i++) {
        int t = -1;
#pragma omp simd lastprivate(t)
        for (int j = 0; j < N; j++)
            t = j + i;
        out[i] = t;
    }
    check("simd", last);

#pragma omp target teams loop map(to : a) map(from : out)
    for (int i = 0; i < ROWS; i++) {
        int found = -1;
#pragma omp loop
        for (int j = 0; j < N; j++)
            if (a[i * N + j])
                found = j;
        out[i] = found;
    }
    check("loop", place);

    int result = 0;
#pragma omp target teams num_teams(1) map(to : a) map(from : result)
    {
        int found = -1;
#pragma omp parallel for
        for (int j = 0; j < N; j++)
            if (a[13 * N + j])
                found = j;
        result = found;
    }
    check_near("one team", 0, result, place(13), 0);
    return finish();
}

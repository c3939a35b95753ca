// Functions that ask for numbers of teams and threads, and functions that share work among the threads that call them.
// expect: launches=4
#include "../check.h"
#include <omp.h>

#define N 100

#pragma omp declare target
int sum_of_team;

int number(void) { return omp_get_team_num() * 1000 + omp_get_thread_num(); }
int number_and(int x) { return number() + x; }

void add_numbers(int *a, int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        a[i] += i;
}

void in_two_steps(int *a, int n, int by)
{
    add_numbers(a, n);
#pragma omp barrier
#pragma omp single
    a[0] = a[n - 1] + by;
}

void parallel_add(int *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] += omp_get_num_threads() > 0 ? i : 0;
}
#pragma omp end declare target

int main(void)
{
    int a[N] = {0}, b[N] = {0}, c[64];
#pragma omp target teams num_teams(4) thread_limit(16) map(from: c)
#pragma omp parallel num_threads(16)
    c[omp_get_team_num() * 16 + omp_get_thread_num()] = number_and(5);
    for (int i = 0; i < 64; i++)
        check_int("asked in a function", i, c[i], i / 16 * 1000 + i % 16 + 5);

#pragma omp target map(tofrom: a, b)
    {
        int by = 1;
#pragma omp parallel num_threads(16)
        {
            in_two_steps(a, N, by);
        }
        parallel_add(b, N);
    }
    check_int("single", 0, a[0], N);
    for (int i = 1; i < N; i++)
        check_int("shared", i, a[i], i);
    for (int i = 0; i < N; i++)
        check_int("parallel in a function", i, b[i], i);

    // Threads that open a parallel construct of their own run it alone.
    int d[8][10];
#pragma omp target parallel num_threads(8) map(from: d)
    {
        int me = omp_get_thread_num();
#pragma omp parallel for
        for (int i = 0; i < 10; i++)
            d[me][i] = me * 10 + i + omp_get_thread_num();
    }
    for (int i = 0; i < 80; i++)
        check_int("nested", i, d[i / 10][i % 10], i);

    int e[N];
#pragma omp target teams distribute parallel for map(from: e) num_teams(5) thread_limit(8)
    for (int i = 0; i < N; i++)
        e[i] = number();
    for (int i = 0; i < N; i++)
        check_true("a number that exists", e[i] / 1000 < 5 && e[i] % 1000 < 128);
    return finish();
}

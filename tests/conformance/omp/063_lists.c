// Iterators, strided updates, and members of elements: how many stretches there are only the running program knows.
// expect: launches=7 uploads=29 downloads=44
// devices: cpu cuda
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define N 12

struct item {
    int before;
    int *p;
    int values[4];
};

static void iterators(int n)
{
    int *rows[N];
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(3 * sizeof(int));
        for (int j = 0; j < 3; j++)
            rows[i][j] = 10 * i + j;
    }
#pragma omp target map(iterator(it = 0:n), tofrom: rows[it][:3]) depend(iterator(int k = 0:n), inout: rows[k])
    for (int i = 0; i < n; i++)
        rows[i][1] += 100;
    check_int("rows", 0, rows[0][1], 101);
    check_int("rows", n - 1, rows[n - 1][1], 10 * (n - 1) + 101);
    check_int("rows", N - 1, rows[N - 1][1], 10 * (N - 1) + 1);
#pragma omp target enter data map(iterator(unsigned it = 0:N), to: rows[it][0:3])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        rows[i][2] = -i;
#pragma omp target update from(iterator(it = 0:N:3): rows[it][2:1])
    for (int i = 0; i < N; i++)
        check_int("some", i, rows[i][2], i % 3 == 0 ? -i : 10 * i + 2);
#pragma omp target exit data map(iterator(it = N - 1:-1:-1), from: rows[it][0:3])
    for (int i = 0; i < N; i++) {
        check_int("all", i, rows[i][2], -i);
        free(rows[i]);
    }
#pragma omp target enter data map(iterator(it = 0:0), to: rows[it][0:3])
}

static void strides(int n)
{
    int a[N], m[4][6];
    struct { int x[N]; } s;
    for (int i = 0; i < N; i++)
        a[i] = s.x[i] = i;
    for (int i = 0; i < 24; i++)
        m[i / 6][i % 6] = i;
#pragma omp target data map(to: a, s, m)
    {
#pragma omp target
        for (int i = 0; i < N; i++) {
            a[i] += 100;
            s.x[i] += 100;
            m[i / 6][i % 6] += 100;
            m[i / 6 + 2][i % 6] += 100;
        }
#pragma omp target update from(a[1:n / 2:2], s.x[0:4:3], m[0:2:2][1:2:4])
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], i % 2 == 1 ? i + 100 : i);
        check_int("s", i, s.x[i], i % 3 == 0 ? i + 100 : i);
    }
    for (int i = 0; i < 24; i++) {
        int moved = (i / 6) % 2 == 0 && (i % 6 == 1 || i % 6 == 5);
        check_int("m", i, m[i / 6][i % 6], moved ? i + 100 : i);
    }
}

static void elements(int one, int other)
{
    struct item *all = calloc(N, sizeof *all), some[4];
    for (int i = 0; i < N; i++)
        all[i].p = calloc(5, sizeof(int));
    memcpy(some, all, sizeof some);
#pragma omp target map(tofrom: all[one].p[0:5], all[other].p[1:3])
    {
        all[one].p[0] = 5;
        all[other].p[1] = 7;
    }
    check_int("p", one, all[one].p[0], 5);
    check_int("p", other, all[other].p[1], 7);
#pragma omp target map(tofrom: all[one].values[0:4])
    for (int i = 0; i < 4; i++)
        all[one].values[i] = i + 1;
    check_int("values", 3, all[one].values[3], 4);
    check_int("beside", 0, all[one].before, 0);
#pragma omp target map(tofrom: some, some[1].p[0:5], some[2].p[0:5])
    {
        some[0].before = 9;
        some[1].p[4] += some[2].before + 3;
        some[2].p[4] = 4;
    }
    check_int("some", 0, some[0].before, 9);
    check_int("some", 1, some[1].p[4], 3);
    check_int("some", 2, some[2].p[4], 4);
    int **pp = &all[0].p;
#pragma omp target data map(tofrom: all[0].p[0:5])
    {
#pragma omp target
        all[0].p[2] = 8;
    }
    check_int("pp", 2, (*pp)[2], 8);
    for (int i = 0; i < N; i++)
        free(all[i].p);
    free(all);
}

int main(void)
{
    iterators(7);
    strides(N);
    elements(3, 8);
    return finish();
}

// target update: several lists, sections, members, present and absent data, conditions.
// expect: launches=2
// needs: separate
// gcc: rejects, it knows no `present`
#include "../check.h"
#include <stdlib.h>

#define N 100

struct state {
    int step;
    double *v;
};

static int table[10][10];

int main(void)
{
    int *a = malloc(N * sizeof *a), b[N], absent[4] = { 1, 2, 3, 4 }, scalar = 1;
    struct state s = { 1, malloc(N * sizeof(double)) };
    for (int i = 0; i < N; i++)
        a[i] = b[i] = 0, s.v[i] = 0;
#pragma omp target data map(to: a[0:N], b, scalar, table) map(to: s) map(to: s.v[0:N])
    {
        for (int i = 0; i < N; i++) {
            a[i] = i;
            b[i] = 2 * i;
            table[i / 10][i % 10] = i;
            s.v[i] = 3 * i;
        }
        scalar = 9;
        s.step = 4;
#pragma omp target update to(a[10:20], b[:50]) to(scalar, s.step) to(s.v[0:N]) to(table[2:3])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) {
            a[i] += 1;
            b[i] += scalar;
            s.v[i] += s.step;
            table[i / 10][i % 10] += 1;
        }
#pragma omp target update from(a[0:N]) from(b, table) from(s.v[0:N])
        for (int i = 0; i < N; i++) {
            check_int("a", i, a[i], i >= 10 && i < 30 ? i + 1 : 1);
            check_int("b", i, b[i], i < 50 ? 2 * i + 9 : 9);
            check_near("v", i, s.v[i], 3 * i + 4, 0);
            check_int("table", i, table[i / 10][i % 10], i >= 20 && i < 50 ? i + 1 : 1);
        }
#pragma omp target
        a[7] = 70, a[8] = 80, scalar = 3;
#pragma omp target update from(present: a[7:1]) if (a[0] == 1)
#pragma omp target update from(a[8:1]) if (target update: a[0] != 1)
#pragma omp target update to(absent) from(absent[1:2])
        check_int("a", N, a[7], 70);
        check_int("a", N + 1, a[8], 1);
        scalar = 0;
#pragma omp target update from(scalar)
        check_int("scalar", 0, scalar, 9);
    }
    // Nothing is there any more.
#pragma omp target update from(a[0:N]) to(s.v[0:N])
    check_int("a", 2 * N, a[8], 1);
    for (int i = 0; i < 4; i++)
        check_int("absent", i, absent[i], i + 1);
    return finish();
}

// What variables that no clause names are, by category: scalars, aggregates and pointers.
// expect: launches=11
// needs: separate
// gcc: rejects, it knows no `present`
#include "../check.h"
#include <stdlib.h>

#define N 40

struct pair {
    int first, second;
};

int main(void)
{
    int scalar = 1, array[N], *p = malloc(N * sizeof *p);
    double other = 2;
    struct pair pair = { 1, 2 };
    for (int i = 0; i < N; i++)
        array[i] = p[i] = i;
#pragma omp target defaultmap(tofrom: scalar)
    {
        scalar++;
        other += scalar;
        array[0] = 5;
    }
    check_int("scalar", 0, scalar, 2);
    check_near("other", 0, other, 4, 0);
    check_int("array", 0, array[0], 5);

#pragma omp target defaultmap(to: scalar) defaultmap(to: aggregate)
    {
        scalar = 100 + array[1];
        array[1] = 100;
        pair.first = 100;
    }
    check_int("scalar", 1, scalar, 2);
    check_int("array", 1, array[1], 1);
    check_int("pair", 0, pair.first, 1);

#pragma omp target defaultmap(from: scalar) defaultmap(from: aggregate)
    {
        scalar = 7;
        for (int i = 0; i < N; i++)
            array[i] = 2 * i;
        pair.first = 8;
        pair.second = 9;
    }
    check_int("scalar", 2, scalar, 7);
    check_int("array", 2, array[N - 1], 2 * N - 2);
    check_int("pair", 1, pair.first + pair.second, 17);

#pragma omp target defaultmap(alloc: aggregate) defaultmap(firstprivate: scalar)
    {
        array[3] = scalar;
        scalar = 1;
        pair.first = 0;
    }
    check_int("scalar", 3, scalar, 7);
    check_int("array", 3, array[3], 6);
    check_int("pair", 2, pair.first, 8);

    // Copies of a structure and of an array for each team.
#pragma omp target defaultmap(firstprivate: aggregate) map(tofrom: scalar)
    {
        scalar = array[2] + pair.first;
        array[2] = pair.first = 0;
    }
    check_int("scalar", 4, scalar, 12);
    check_int("array", 4, array[2], 4);
    check_int("pair", 3, pair.first, 8);

#pragma omp target data map(tofrom: array) map(to: p[0:N])
    {
#pragma omp target defaultmap(present: aggregate) defaultmap(default: scalar) defaultmap(none: pointer) map(p[0:N])
        {
            scalar = 3;
            array[5] = p[5] + scalar;
        }
#pragma omp target defaultmap(none) map(present, tofrom: array) firstprivate(scalar)
        array[6] = scalar;
        // A pointer of the firstprivate kind keeps the host's value; here it is only compared.
#pragma omp target defaultmap(firstprivate: pointer)
        array[7] = p != NULL;
#pragma omp target defaultmap(default)
        array[8] = p[8];
#pragma omp target defaultmap(tofrom)
        scalar = array[9] = 33;
#pragma omp target teams distribute parallel for defaultmap(tofrom: aggregate) defaultmap(default: pointer)
        for (int i = 10; i < N; i++)
            array[i] = p[i] + 1;
    }
    check_int("scalar", 5, scalar, 33);
    check_int("array", 5, array[5], 8);
    check_int("array", 6, array[6], 12);
    check_int("array", 7, array[7], 1);
    check_int("array", 8, array[8], 8);
    check_int("array", 9, array[9], 33);
    for (int i = 10; i < N; i++)
        check_int("array", i, array[i], i + 1);
    return finish();
}

// Arrays of objects that no clause names are mapped element by element, by the default mapper of their type: OpenMP 5.2 §5.8.1, §5.8.8.
// expect: launches=4
#include "../check.h"
#include <stdlib.h>

#define OBJECTS 4
#define N 32

typedef struct {
    int length;
    double *data;
} Vector;
#pragma omp declare mapper(Vector v) map(v, v.data[0 : v.length])

typedef struct {
    Vector rows[2];
    int factor;
} Pair;

static Vector vector(double first)
{
    Vector v = {N, malloc(N * sizeof(double))};
    for (int i = 0; i < N; i++)
        v.data[i] = first + i;
    return v;
}

static void check_vector(const char *what, Vector v, double first, double factor)
{
    for (int i = 0; i < N; i++)
        check_near(what, i, v.data[i], (first + i) * factor, 0);
}

static Vector of_file[OBJECTS];

int main(void)
{
    Vector v[OBJECTS];
    for (int k = 0; k < OBJECTS; k++) {
        v[k] = vector(k);
        of_file[k] = vector(10 * k);
    }

#pragma omp target teams distribute parallel for collapse(2)
    for (int k = 0; k < OBJECTS; k++)
        for (int i = 0; i < N; i++) {
            v[k].data[i] *= 2;
            of_file[k].data[i] *= 3;
        }
    for (int k = 0; k < OBJECTS; k++) {
        check_vector("local", v[k], k, 2);
        check_vector("of the file", of_file[k], 10 * k, 3);
    }

    Pair pairs[2][2];
    for (int k = 0; k < 4; k++) {
        pairs[k / 2][k % 2].factor = k + 2;
        for (int r = 0; r < 2; r++)
            pairs[k / 2][k % 2].rows[r] = vector(r - k);
    }
#pragma omp target
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < 2; r++) {
            Pair *p = &pairs[k / 2][k % 2];
            for (int i = 0; i < p->rows[r].length; i++)
                p->rows[r].data[i] *= p->factor;
        }
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < 2; r++)
            check_vector("member", pairs[k / 2][k % 2].rows[r], r - k, k + 2);

    // Where some elements are present these are what the construct has.
#pragma omp target data map(tofrom: v[0 : 2])
#pragma omp target
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < v[k].length; i++)
            v[k].data[i] *= 2;
    for (int k = 0; k < OBJECTS; k++)
        check_vector("part", v[k], k, k < 2 ? 4 : 2);

    // What is present stays as it is on the device.
#pragma omp target data map(tofrom: v)
    {
        for (int k = 0; k < OBJECTS; k++)
            for (int i = 0; i < N; i++)
                v[k].data[i] = -1;
#pragma omp target
        for (int k = 0; k < OBJECTS; k++)
            for (int i = 0; i < v[k].length; i++)
                v[k].data[i] += 1;
    }
    for (int k = 0; k < OBJECTS; k++)
        for (int i = 0; i < N; i++)
            check_near("present", i, v[k].data[i], (k + i) * (k < 2 ? 4 : 2) + 1, 0);
    return finish();
}

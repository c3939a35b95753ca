// Objects that no clause names are mapped by the default mapper of their type: OpenMP 5.2 §5.8.1, §5.8.8.
// expect: launches=5 uploads=11 downloads=11
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 64

typedef struct {
    int length;
    double *data;
} Vector;
#pragma omp declare mapper(Vector v) map(v, v.data[0 : v.length])

typedef struct {
    Vector x;
    int factor;
} Scaled;

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

int main(void)
{
    Vector v = vector(1);
#pragma omp target
    for (int i = 0; i < v.length; i++)
        v.data[i] *= 2;
    check_vector("target", v, 1, 2);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < v.length; i++)
        v.data[i] *= 2;
    check_vector("loop", v, 1, 4);
#pragma omp target parallel num_threads(8)
    {
#pragma omp for
        for (int i = 0; i < v.length; i++)
            v.data[i] *= 2;
    }
    check_vector("parallel", v, 1, 8);

    Scaled s = {vector(3), 5};
#pragma omp target teams
#pragma omp distribute parallel for
    for (int i = 0; i < s.x.length; i++)
        s.x.data[i] *= s.factor;
    check_vector("member", s.x, 3, 5);

    /* What is present stays as it is on the device. */
#pragma omp target data map(tofrom: v)
    {
        for (int i = 0; i < N; i++)
            v.data[i] = -1;
#pragma omp target
        for (int i = 0; i < v.length; i++)
            v.data[i] /= 8;
    }
    check_vector("present", v, 1, 1);
    return finish();
}

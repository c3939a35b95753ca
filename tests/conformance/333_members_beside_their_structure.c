// A kernel that uses a structure as such and arrays that its members point to: these are arguments of their own, whether
// the structure is used first or the array, and whether a clause attaches the pointer or none does.
// expect: launches=4
#include <stdlib.h>
#include "check.h"

enum { N = 100 };

struct part {
    int n;
    double *x;
};

struct whole {
    int shift[2];
    struct part *part;
    double *y;
};

int main(void)
{
    struct part part = {N, malloc(N * sizeof(double))};
    struct whole s = {{3, 4}, &part, malloc(N * sizeof(double))};
    double *y = s.y;
    for (int i = 0; i < N; i++) {
        part.x[i] = i;
        s.y[i] = 2 * i;
    }
#pragma acc data copyin(s, part) copy(s.y[0:N], part.x[0:N])
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            s.y[i] += s.shift[i % 2];
#pragma acc parallel loop
        for (int i = 0; i < part.n; i++)
            part.x[i] += s.shift[i % 2] + s.y[i];
#pragma acc parallel loop attach(s.y)
        for (int i = 0; i < N; i++)
            s.y[i] += s.shift[i % 2];
#pragma acc parallel loop attach(part.x) present(part)
        for (int i = 0; i < part.n; i++)
            part.x[i] *= 2;
    }
    check_true("the pointer", s.y == y);
    for (int i = 0; i < N; i++) {
        int shift = 3 + i % 2;
        check_near("y", i, s.y[i], 2 * i + 2 * shift, 0.0);
        check_near("x", i, part.x[i], 2 * (i + shift + 2 * i + shift), 0.0);
    }
    free(s.y);
    free(part.x);
    return finish();
}

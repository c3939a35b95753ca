// `present(x[n])` is element n of x, by the standard. Programs write it for all n elements of what is present, and compilers that
// do not look for the element let them. An element that is present is still meant, and arrays that lie side by side are told apart.
// expect: launches=5
#include "check.h"
#include <stdlib.h>

struct mesh {
    int n;
    double *x;
};

static double both[64];

int main(void)
{
    int n = 1000, half = 32;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = i, y[i] = 0;
    struct mesh mesh = {n, x};
#pragma acc enter data copyin(x[0:n], y[0:n])
#pragma acc parallel loop present(x[n], y[n])
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
#pragma acc data present(mesh.x[mesh.n])
#pragma acc parallel loop present(y[n])
    for (int i = 0; i < n; i++)
        y[i] += 1;
    // Elements that there are.
    int k = 7;
#pragma acc parallel present(x[k], y[k])
    y[k] = x[k] * x[k];
#pragma acc exit data copyout(y[0:n]) delete(x[0:n])
    for (int i = 0; i < n; i++)
        check_near("y", i, y[i], i == k ? 49 : 2 * i + 1, 0);

    // The second array begins where the first one ends.
    double *first = both, *second = both + half;
#pragma acc enter data create(first[0:half])
#pragma acc enter data create(second[0:half])
#pragma acc parallel loop present(first[half], second[half])
    for (int i = 0; i < half; i++)
        first[i] = i, second[i] = -i;
#pragma acc update self(first[0:half], second[0:half])
#pragma acc exit data delete(first[0:half], second[0:half])
    for (int i = 0; i < half; i++) {
        check_near("first", i, first[i], i, 0);
        check_near("second", i, second[i], -i, 0);
    }

    // A part that does not begin with the first element.
#pragma acc data copy(y[500:100])
    {
        k = 550;
#pragma acc parallel present(y[k])
        y[k] = 3;
    }
    check_near("part", 0, y[550], 3, 0);
    free(x);
    free(y);
    return finish();
}

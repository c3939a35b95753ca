// A compressed array that a structure on the device points to: data clauses, kernels that read and write it, update.
// expect: launches=2 uploads=2 downloads=2
#include <stdlib.h>
#include "check.h"

struct field {
    int n;
    float *x;
};

int main(void)
{
    enum { N = 1000 };
    struct field s = {N, malloc(N * sizeof(float))};
    float *y = malloc(N * sizeof *y), *old = malloc(N * sizeof *old);
    for (int i = 0; i < N; i++)
        old[i] = s.x[i] = (float)(i % 64) / 64;
#pragma acc enter data copyin(s)
#pragma acc enter data ccopyin(s.x[0:N:-2:2])
#pragma acc parallel loop present(s) compression(s.x) copyout(y[0:N])
    for (int i = 0; i < N; i++)
        y[i] = 2 * s.x[i];
#pragma acc parallel loop present(s) compression(s.x)
    for (int i = 0; i < N; i++)
        s.x[i] += 0.5f;
#pragma acc update self(s.x[0:N])
#pragma acc exit data delete(s.x[0:N])
#pragma acc exit data delete(s)
    for (int i = 0; i < N; i++) {
        check_near("y", i, y[i], 2 * old[i], 2e-4);
        check_near("x", i, s.x[i], old[i] + 0.5, 2e-4);
    }
    free(s.x);
    free(y);
    free(old);
    return finish();
}

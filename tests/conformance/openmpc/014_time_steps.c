// The time steps of a region are the host's, its loops launches; the grid stays on the device.
// expect: launches=40 uploads=1
#include "../check.h"
#include <stdlib.h>

int main(void)
{
    int n = 20000, step, i;
    double *u = malloc(n * sizeof(double)), *next = malloc(n * sizeof(double));
    for (i = 0; i < n; i++)
        u[i] = i == 0 ? 1.0 : 0.0;

#pragma omp parallel private(step)
    for (step = 0; step < 20; step++) {
#pragma omp for
        for (i = 1; i < n - 1; i++)
            next[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
#pragma omp for
        for (i = 1; i < n - 1; i++)
            u[i] = next[i];
    }

    double *want = calloc(n, sizeof(double)), *then = calloc(n, sizeof(double));
    want[0] = 1.0;
    for (step = 0; step < 20; step++) {
        for (i = 1; i < n - 1; i++)
            then[i] = 0.25 * want[i - 1] + 0.5 * want[i] + 0.25 * want[i + 1];
        for (i = 1; i < n - 1; i++)
            want[i] = then[i];
    }
    for (i = 0; i < n; i++)
        check_near("u", i, u[i], want[i], 1e-12);
    return finish();
}

// -gpu=autodata: target constructs without maps of what pointers point to, beside mapped data and addresses of the device.
// flags: -gpu=autodata
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

#define N 20011

static double u[N];

static void add(double *a, const double *b, int n)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += b[i];
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 1;
    }
    for (int times = 0; times < 5; times++) {
        add(a, b, N);
        add(u, a, N);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            u[i] -= a[i];
        b[7] += 1;
    }
    for (int i = 0; i < N; i++) {
        check_near("a", i, a[i], i + (i == 7 ? 15 : 5), 0);
        check_near("u", i, u[i], 0, 0);
    }
#pragma omp target data map(to: a[0:N])
    {
        add(a, b, N);
        check_near("mapped", 5, a[5], 10, 0);
    }
    check_near("not copied back", 5, a[5], 10, 0);
    add(a, b, N);
    check_near("a", 5, a[5], 11, 0);
    int device = omp_get_default_device(), host = omp_get_initial_device();
    double *d = omp_target_alloc(N * sizeof *d, device);
    omp_target_memcpy(d, a, N * sizeof *d, 0, 0, device, host);
    add(a, d, N);
    omp_target_memcpy(b, d, N * sizeof *d, 0, 0, host, device);
    omp_target_free(d, device);
    check_near("a", 5, a[5], 22, 0);
    check_near("b", 5, b[5], 11, 0);
    free(a);
    free(b);
    return finish();
}

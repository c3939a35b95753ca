// Arrays of which kernels use rows of different lengths, or which they use in other ways, too; queues; arrays that may overlap.
// needs: separate
// expect: launches=11 fallbacks=1
#include <stdlib.h>
#include "check.h"

enum { N = 240, C = 8 };

/* Most accesses are to rows of 8, some to rows of 6, of 16 and to neighbours. */
static void mixed(const int *order, double *out)
{
    double *a = malloc(sizeof(double) * N * C);
#pragma acc data create(a[0:N * C]) copyin(order[0:N]) copyout(out[0:N])
    {
#pragma acc parallel loop async(1)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < C; i++)
                a[k * C + i] = k * C + i;
#pragma acc parallel loop async(1)
        for (int k = 0; k < N; k++) {
            double sum = 0;
            for (int i = 0; i < C; i++)
                for (int j = 0; j < C; j++)
                    sum += a[k * C + i] * j + a[order[k] * C + j];
            out[k] = sum;
        }
#pragma acc parallel loop wait(1) async(2)
        for (int k = 0; k < N; k++)
            out[k] += a[k] + a[k * 6] + a[(k / 2) * 16 + k % 16];
#pragma acc parallel loop gang vector collapse(2) wait(2)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < C; i++)
                a[k * C + i] = -a[k * C + i];
#pragma acc parallel loop gang wait(2)
        for (int k = 0; k < N; k++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int i = 0; i < C; i++)
                sum += a[k * C + i];
            out[k] += sum;
        }
    }
    free(a);
}

/* Two names that may be one array: the fallback follows the same order. */
static void overlapping(double *x, double *y, double *out, int shift)
{
#pragma acc data create(x[0:N * C]) copyout(out[0:N])
    {
#pragma acc parallel loop
        for (int k = 0; k < N; k++)
            for (int i = 0; i < C; i++)
                x[k * C + i] = k + i;
#pragma acc data copyin(y[0:N * C])
        {
#pragma acc kernels
            for (int k = 1; k < N; k++)
                for (int i = 0; i < C; i++)
                    x[k * C + i] = y[(k - shift) * C + i] + 1;
        }
#pragma acc parallel loop
        for (int k = 0; k < N; k++) {
            double sum = 0;
            for (int i = 0; i < C; i++)
                sum += x[k * C + i];
            out[k] = sum;
        }
    }
}

int main(void)
{
    int order[N];
    double out[N];
    for (int k = 0; k < N; k++)
        order[k] = (k * 7) % N;
    mixed(order, out);
    for (int k = 0; k < N; k++) {
        double want = k + k * 6 + (k / 2) * 16 + k % 16;
        for (int i = 0; i < C; i++) {
            for (int j = 0; j < C; j++)
                want += (k * C + i) * j + order[k] * C + j;
            want -= k * C + i;
        }
        check_near("mixed", k, out[k], want, 1e-12);
    }

    double *x = malloc(sizeof(double) * N * C), *y = malloc(sizeof(double) * N * C);
    for (int e = 0; e < N * C; e++)
        x[e] = y[e] = e;
    overlapping(x, y, out, 0);
    for (int k = 0; k < N; k++) {
        double want = 0;
        for (int i = 0; i < C; i++)
            want += k == 0 ? i : k * C + i + 1;
        check_near("apart", k, out[k], want, 1e-12);
    }
    overlapping(x, x, out, 1);
    for (int k = 0; k < N; k++)
        check_near("same", k, out[k], k == 0 ? C * (C - 1) / 2 : C * (C - 1) / 2 + C * k, 1e-12);
    free(x);
    free(y);
    return finish();
}

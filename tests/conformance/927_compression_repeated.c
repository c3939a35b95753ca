// Launches that repeat while compressed arrays they read are sent anew, written by kernels, or entered with another range.
// expect: launches=37 uploads=6 downloads=26
#include "check.h"
#include <stdlib.h>

enum { N = 600 };

static void scale(int n, float by, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop compression(x) present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = by * x[i];
}

/* Reads each element many times, so from a plain copy. */
static void sum_all(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop compression(x) present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += x[j];
        y[i] = sum + x[i];
    }
}

static void fill(float *x, float value)
{
    for (int i = 0; i < N; i++)
        x[i] = value;
}

static void look(const char *what, float *y, float x)
{
#pragma acc update self(y[0:N])
    for (int i = 0; i < N; i += 37)
        check_near(what, i, y[i], x, 1e-3);
}

/* Three times, so that copies are made and launches repeated. */
static void thrice(const char *what, float *x, float *y, float value)
{
    for (int again = 1; again <= 3; again++) {
        scale(N, again, x, y);
        look(what, y, again * value);
    }
    for (int again = 0; again < 3; again++)
        sum_all(N, x, y);
    look(what, y, (N + 1) * value);
}

int main(void)
{
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *z = malloc(N * sizeof *z);
    fill(x, 0.5f);
    fill(z, 0.125f);
#pragma acc data create(y[0:N])
    {
#pragma acc data ccopyin(x[0:N:-1:1]) ccopyin(z[0:N:-1:1])
        {
            thrice("entered", x, y, 0.5f);
            fill(x, -0.25f);
#pragma acc update device(x[0:N])
            thrice("updated", x, y, -0.25f);
#pragma acc parallel loop compression(x) present(x[0:N])
            for (int i = 0; i < N; i++)
                x[i] += 0.75f;
            thrice("written", x, y, 0.5f);
            /* Arrays that take turns. */
            float *one = x, *two = z;
            for (int turn = 0; turn < 6; turn++) {
                sum_all(N, one, y);
                look("in turn", y, (N + 1) * (turn % 2 ? 0.125f : 0.5f));
                float *old = one;
                one = two;
                two = old;
            }
        }
        fill(x, 3.0f);
#pragma acc data ccopyin(x[0:N:-4:4])
        thrice("another range", x, y, 3.0f);
#pragma acc data ccopyin(scheme(affine): z[0:N:0:1])
        {
            /* Where x was, perhaps. */
            fill(x, 2.0f);
#pragma acc data ccopyin(x[0:N:-2:2])
            thrice("elsewhere", x, y, 2.0f);
        }
    }
    free(x);
    free(y);
    free(z);
    return finish();
}

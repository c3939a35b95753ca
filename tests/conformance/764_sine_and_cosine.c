// Sines and cosines of the same angle, which GPUs compute together: of floats and doubles, in one statement and in several, of
// angles that change between the two, are read from arrays that may be written between them, or stand behind conditions.
// expect: launches=7
#include "check.h"
#include <stdlib.h>

static void floats(int n, const float *a, float *re, float *im)
{
#pragma acc parallel loop copyin(a[0:n]) copyout(re[0:n], im[0:n])
    for (int i = 0; i < n; i++) {
        float angle = 3.0f * a[i];
        re[i] = cosf(angle);
        im[i] = sinf(angle) - cosf(angle);
    }
    for (int i = 0; i < n; i++) {
        float angle = 3.0f * a[i];
        check_near("re", i, re[i], cosf(angle), 1e-6);
        check_near("im", i, im[i], sinf(angle) - cosf(angle), 1e-6);
    }
#pragma acc parallel loop copyin(a[0:n]) copyout(re[0:n], im[0:n])
    for (int i = 0; i < n; i++) {
        float angle = a[i];
        re[i] = cosf(angle);
        angle += 1.0f;
        im[i] = sinf(angle);
    }
    for (int i = 0; i < n; i++) {
        check_near("re", i, re[i], cosf(a[i]), 1e-6);
        check_near("im", i, im[i], sinf(a[i] + 1.0f), 1e-6);
    }
}

/* The arrays may be the same. */
static void in_place(int n, double *a, double *re, double *im)
{
#pragma acc parallel loop copy(a[0:n], re[0:n], im[0:n])
    for (int i = 0; i < n; i++) {
        re[i] = cos(a[i]);
        im[i] = sin(a[i]);
    }
}

static double half_of_sine_of_double(double x)
{
    return sin(x) * cos(x);
}

int main(void)
{
    int n = 10007;
    float *a = malloc(n * sizeof *a), *re = malloc(n * sizeof *re), *im = malloc(n * sizeof *im);
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    for (int i = 0; i < n; i++) {
        a[i] = (i - 5000) * 0.37f;
        x[i] = (i - 5000) * 1234.5;
    }
    floats(n, a, re, im);
    in_place(n, x, y, z);
    for (int i = 0; i < n; i++) {
        check_near("y", i, y[i], cos(x[i]), 1e-12);
        check_near("z", i, z[i], sin(x[i]), 1e-12);
        y[i] = x[i];
    }
    in_place(n, y, y, z);
    for (int i = 0; i < n; i++) {
        check_near("y in place", i, y[i], cos(x[i]), 1e-12);
        check_near("z of y", i, z[i], sin(cos(x[i])), 1e-12);
    }
    double sum = 0, most = 0, wanted = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(x[0:n])
    for (int i = 0; i < n; i++)
        sum += half_of_sine_of_double(x[i]) + 2 * sin(x[i]) * cos(x[i]);
    for (int i = 0; i < n; i++)
        wanted += 3 * sin(x[i]) * cos(x[i]);
    check_near("sum", 0, sum, wanted, 1e-9);
    wanted = 0;
#pragma acc parallel loop reduction(max : most) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
        double s = sin(x[i]);
        double c = s > 0 ? cos(x[i]) : 0.5;
        if (s < 0)
            c += cos(x[i]);
        most = fmax(most, s * c);
    }
    for (int i = 0; i < n; i++) {
        double s = sin(x[i]), c = s > 0 ? cos(x[i]) : 0.5 + (s < 0 ? cos(x[i]) : 0);
        wanted = fmax(wanted, s * c);
    }
    check_near("most", 0, most, wanted, 1e-12);
#pragma acc parallel loop copyout(z[0:n]) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
        double turned[2];
        for (int k = 0; k < 2; k++)
            turned[k] = sin(x[i] + k) * sin(x[i] + k) + cos(x[i] + k) * cos(x[i] + k);
        z[i] = turned[0] + turned[1];
    }
    for (int i = 0; i < n; i++)
        check_near("z", i, z[i], 2, 1e-12);
    return finish();
}

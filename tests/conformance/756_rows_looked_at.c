// Arrays that GPUs store by columns are in the host's order wherever anybody looks: updates, other names, runtime routines,
// kernels of other functions, pointers in device memory.
// expect: launches=13 uploads=7 downloads=12
// devices: cuda opencl
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

enum { N = 301, C = 9 };
static double a[N * C], out[N * C];

#define FILL(a, what)                                                                                          \
    _Pragma("acc parallel loop") for (int k = 0; k < N; k++)                                                   \
    {                                                                                                          \
        for (int i = 0; i < C; i++)                                                                            \
            a[k * C + i] = what;                                                                               \
        for (int i = 1; i < C; i++)                                                                            \
            a[k * C + i] += a[k * C + i - 1] * 0;                                                              \
    }

static void check(const char *what, const double *got, double first)
{
    for (int e = 0; e < N * C; e++)
        check_near(what, e, got[e], first + e, 0);
}

static void clear(void)
{
    for (int e = 0; e < N * C; e++)
        a[e] = out[e] = -1;
}

static void copy_elsewhere(const double *from, double *to, int n)
{
#pragma acc parallel loop present(from[0:n]) copyout(to[0:n])
    for (int e = 0; e < n; e++)
        to[e] = from[e];
}

int main(void)
{
    clear();
#pragma acc data create(a)
    {
        FILL(a, k * C + i)
        copy_elsewhere(a, out, N * C);
        FILL(a, k * C + i + 1)
        copy_elsewhere(a + C, out + C, N * C - C);
    }
    for (int e = 0; e < N * C; e++)
        check_near("elsewhere", e, out[e], e < C ? e : e + 1, 0);

    clear();
    int again = 1;
#pragma acc data create(a)
    {
        FILL(a, k * C + i + 2)
        if (again) {
#pragma acc data copyin(a) copyout(out)
            {
                /* Another name of the same memory. */
                double *other = a;
#pragma acc parallel loop present(other[0:N * C])
                for (int e = 0; e < N * C; e++)
                    out[e] = other[e];
            }
        }
        FILL(a, k * C + i + 3)
        acc_update_self(a, sizeof a);
    }
    check("other name", out, 2);
    check("update routine", a, 3);

    clear();
#pragma acc data create(a)
    {
        FILL(a, k * C + i + 4)
        double *device = acc_deviceptr(a);
        FILL(a, k * C + i + 5)
        acc_memcpy_from_device(out, device, sizeof out);
    }
    check("deviceptr", out, 5);

    clear();
#pragma acc data create(a)
    {
        FILL(a, k * C + i)
        check_true("present", acc_is_present(a, sizeof a));
        a[7] = 70;
        acc_update_device(a + 7, sizeof a[7]);
        copy_elsewhere(a, out, N * C);
    }
    for (int e = 0; e < N * C; e++)
        check_near("updated", e, out[e], e == 7 ? 70 : e, 0);

    /* An array of pointers to rows that lead into such an array. */
    clear();
    double *rows[N];
    for (int k = 0; k < N; k++)
        rows[k] = a + k * C;
#pragma acc data create(a)
    {
        FILL(a, k * C + i + 6)
#pragma acc parallel loop copyin(rows[0:N][0:C]) copyout(out)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < C; i++)
                out[k * C + i] = rows[k][i];
    }
    check("rows", out, 6);
    return finish();
}

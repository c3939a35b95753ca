// scheme(half) and scheme(bfloat): no range, a precision relative to each value; host and device agree to the bit.
// expect: launches=8 uploads=8 downloads=12
#include "check.h"
#include <math.h>
#include <string.h>

enum { N = 4003 };

static float a[N], plain[N], device[N], host[N];
static double d[N], d_plain[N], d_device[N], d_host[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = sinf((float)i) * ldexpf(1, i % 40 - 26);
        d[i] = cos(i) * ldexp(1, i % 30 - 14);
    }
    a[7] = 1e6f;
    a[8] = -INFINITY;
    a[9] = NAN;
    a[10] = -0.0f;
    d[7] = 1e300;
    d[8] = 65519;
    d[9] = 65520;
    memcpy(host, a, sizeof a);
    memcpy(d_host, d, sizeof d);
}

#define AGREE(what)                                                                      \
    check_true(what ": floats decoded", memcmp(plain, host, sizeof a) == 0);             \
    check_true(what ": floats encoded", memcmp(device, host, sizeof a) == 0);            \
    check_true(what ": doubles decoded", memcmp(d_plain, d_host, sizeof d) == 0);        \
    check_true(what ": doubles encoded", memcmp(d_device, d_host, sizeof d) == 0)

int main(void)
{
    int n = N;
    fill();
#pragma acc data ccopy(scheme(half): host[0:n], d_host[0:n])
    {
#pragma acc parallel loop compression(host) copyout(plain[0:n])
        for (int i = 0; i < n; i++)
            plain[i] = host[i];
#pragma acc parallel loop compression(d_host) copyout(d_plain[0:n])
        for (int i = 0; i < n; i++)
            d_plain[i] = d_host[i];
    }
#pragma acc data ccopyout(scheme(half): device[0:n], d_device[0:n]) copyin(a[0:n], d[0:n])
    {
#pragma acc parallel loop compression(device)
        for (int i = 0; i < n; i++)
            device[i] = a[i];
#pragma acc parallel loop compression(d_device)
        for (int i = 0; i < n; i++)
            d_device[i] = d[i];
    }
    AGREE("half");
    check_true("half: too large", isinf(host[7]) && isinf(d_host[7]) && d_host[8] == 65504 && isinf(d_host[9]));
    check_true("half: infinity, no number", isinf(host[8]) && isnan(host[9]) && signbit(host[10]));
    for (int i = 20; i < n; i++)
        check_true("half: near each value", fabsf(host[i] - a[i]) <= fabsf(a[i]) / 2048 + 3e-8f);

    fill();
#pragma acc data ccopy(scheme(bfloat): host[0:n], d_host[0:n])
    {
#pragma acc parallel loop compression(host) copyout(plain[0:n])
        for (int i = 0; i < n; i++)
            plain[i] = host[i];
#pragma acc parallel loop compression(d_host) copyout(d_plain[0:n])
        for (int i = 0; i < n; i++)
            d_plain[i] = d_host[i];
    }
#pragma acc parallel loop ccopyout(scheme(bfloat): device[0:n]) present_or_copyin(a[0:n])
    for (int i = 0; i < n; i++)
        device[i] = a[i];
#pragma acc parallel loop ccopyout(scheme(bfloat): d_device[0:n]) present_or_copyin(d[0:n])
    for (int i = 0; i < n; i++)
        d_device[i] = d[i];
    AGREE("bfloat");
    for (int i = 20; i < n; i++)
        check_true("bfloat: near each value", fabsf(host[i] - a[i]) <= fabsf(a[i]) / 256);
    return finish();
}

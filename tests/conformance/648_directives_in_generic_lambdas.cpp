// A construct in a generic lambda that calls its argument: only the lambda's instances know what that does, so the host runs the
// construct, with a warning. One that uses nothing of unknown types is for the device.
// expect-remark: Construct runs on the host: .*generic lambda
#include "check.h"

int main()
{
    const int n = 100;
    double a[n], b[n];
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 1;
    double *from = a, *to = b;
    auto for_all = [&](auto body) {
#pragma acc parallel loop copyin(from[0:n]) copy(to[0:n])
        for (int i = 0; i < n; i++)
            body(i);
    };
    auto twice = [&](auto, int count) {
#pragma acc parallel loop copy(to[0:count])
        for (int i = 0; i < count; i++)
            to[i] *= 2;
    };
#pragma acc data copyin(from[0:n]) copy(to[0:n])
    {
        for_all([=](int i) { to[i] += from[i]; });
        for_all([=](int i) { to[i] *= 3; });
        twice(0, n);
    }
    for (int i = 0; i < n; i++)
        check_near("b", i, b[i], 6.0 * (i + 1), 0);
    return finish();
}

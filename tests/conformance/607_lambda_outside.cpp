// Lambdas around regions, not in them: a region in the body of a lambda uses its captures.
// expect: launches=3 uploads=3 downloads=3
#include <functional>
#include "check.h"

int main()
{
    const int n = 150;
    float a[n];
    float *p = a;
    for (int i = 0; i < n; i++)
        a[i] = i;
    float factor = 2.0f;
    auto scale = [=](int count) {
#pragma acc parallel loop copy(p[0:count])
        for (int i = 0; i < count; i++)
            p[i] *= factor;
    };
    auto shift = [&a, n](float by) {
        float *q = a;
#pragma acc parallel loop copy(q[0:n])
        for (int i = 0; i < n; i++)
            q[i] += by;
    };
    std::function<void(int)> again = scale;
    scale(n);
    shift(1.0f);
    again(n / 2);
    for (int i = 0; i < n; i++)
        check_near("a", i, a[i], (2.0f * i + 1) * (i < n / 2 ? 2 : 1), 0.0);
    return finish();
}

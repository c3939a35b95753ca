// A structure as a variable of the region: passed with the launch, its array member included, and
// private copies of it.
// expect: launches=2 downloads>=2
#include "check.h"

#define N 64

typedef struct {
    int n;
    double weight[5];
    struct {
        float low, high;
    } range;
} settings;

int main(void)
{
    settings s = {5, {1.0, -2.0, 3.0, -4.0, 5.0}, {10.0f, 50.0f}}, t = s;
    double out[N], other[N];
#pragma acc parallel loop copyin(s) copyout(out)
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int k = 0; k < s.n; k++)
            sum += s.weight[k] * (i + k);
        out[i] = i >= s.range.low && i < s.range.high ? sum : -1.0;
    }
#pragma acc parallel loop firstprivate(s) private(t) copyout(other)
    for (int i = 0; i < N; i++) {
        t = s;
        t.weight[i % 5] = 100.0;
        other[i] = t.weight[0] + t.weight[1] + t.weight[2] + t.weight[3] + t.weight[4];
    }
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int k = 0; k < 5; k++)
            sum += s.weight[k] * (i + k);
        check_near("out", i, out[i], i >= 10 && i < 50 ? sum : -1.0, 1e-14);
        check_near("other", i, other[i], 3.0 - s.weight[i % 5] + 100.0, 1e-14);
    }
    return finish();
}

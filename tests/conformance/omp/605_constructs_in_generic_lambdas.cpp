// A construct in a generic lambda that computes with what its arguments are: the host runs it.
// expect: launches=0
// expect-remark: Construct runs on the host: .*generic lambda
#include "../check.h"

int main()
{
    double a[40];
    int b[10];
    for (int i = 0; i < 40; i++)
        a[i] = i;
    for (int i = 0; i < 10; i++)
        b[i] = 3 * i;
    auto increment = [](auto *p, int n) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; i++)
            p[i] += 1;
    };
    increment(a, 40);
    increment(b, 10);
    for (int i = 0; i < 40; i++)
        check_near("a", i, a[i], i + 1, 0);
    for (int i = 0; i < 10; i++)
        check_int("b", i, b[i], 3 * i + 1);
    return finish();
}

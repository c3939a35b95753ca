// abort() in a kernel whose threads wait for each other, and in a function of one whose iterations go on until it is called.
// expect-exit: 134
// expect-stderr: abort
// expect: launches=2
#include <cassert>
#include <cstdio>
#include <cstdlib>

template <typename T> static T first_above(const T *values, T limit)
{
    for (int i = 0;; i++) {
        if (values[i] > limit)
            return values[i];
        if (values[i] < 0)
            std::abort();
    }
}

int main()
{
    const int n = 1000;
    double values[n + 1], found[n], sum = 0;
    for (int i = 0; i <= n; i++)
        values[i] = i < n ? i : -1;
#pragma acc parallel loop copyin(values) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        assert(values[i] == i);
        if (values[i] > 2 * n)
            __builtin_trap();
        sum += values[i];
    }
    if (sum != n * (n - 1) / 2)
        return 1;
#pragma acc parallel loop copyin(values) copyout(found)
    for (int i = 0; i < n; i++)
        found[i] = first_above(values, i + 0.5);
    std::printf("FAIL abort() did not end the program\n");
    return 1;
}

// extern "C" around a routine and a region; C headers in C++; C casts beside C++ casts.
// expect: launches=1 uploads=1 downloads=1
#include <cstdlib>
#include "check.h"

extern "C" {
#pragma acc routine seq
int collatz_step(int x)
{
    return x % 2 ? 3 * x + 1 : x / 2;
}

void steps(int n, const int *start, int *out)
{
#pragma acc parallel loop copyin(start[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int x = start[i], count = 0;
        for (; x != 1; ++count)
            x = collatz_step(x);
        out[i] = count + (int)1.9 + static_cast<int>(2.9f) + int('a');
    }
}
}

int main()
{
    const int n = 60;
    int *start = static_cast<int *>(std::malloc(n * sizeof(int)));
    int *out = (int *)std::calloc(n, sizeof(int));
    for (int i = 0; i < n; i++)
        start[i] = i + 1;
    steps(n, start, out);
    for (int i = 0; i < n; i++) {
        int x = i + 1, count = 0;
        for (; x != 1; ++count)
            x = collatz_step(x);
        check_int("out", i, out[i], count + 3 + 'a');
    }
    std::free(start);
    std::free(out);
    return finish();
}

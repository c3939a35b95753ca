// Reads the clocks of the C++ library, each behind a construct of its own.
#include <chrono>
#include <cstdio>

static double a[1000];

template <class Clock>
void read(const char *clock)
{
    std::fprintf(stderr, "%s:\n", clock);
#pragma acc parallel loop present(a)
    for (int i = 0; i < 1000; i++)
        a[i] = a[i] * 0.5 + i;
    Clock::now();
}

int main()
{
#pragma acc data copyout(a)
    {
        read<std::chrono::system_clock>("system_clock");
        read<std::chrono::steady_clock>("steady_clock");
        read<std::chrono::high_resolution_clock>("high_resolution_clock");
    }
    return a[999] < 999;
}

// Private copies of objects begin as their class's default constructor makes them (OpenACC 3.3 §2.5.12).
// expect: launches=3
#include "check.h"

#define N 60

struct Window {
    double b[4];
    int used;
    Window() : b{1, 1, 1, 1}, used(0) {}
    void add(double x) { b[used++ % 4] += x; }
    double sum() const { return b[0] + b[1] + b[2] + b[3]; }
};

struct Limits {
    double low = -1, high = 8;
};

int main()
{
    Window window;
    Limits limits;
    double sum = 0, gangs = 0, rows[N];
    window.add(1000);
    limits.low = 1000;
#pragma acc parallel loop private(window) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        Window own = window;
        own.add(i);
        sum += own.sum() + own.used;
    }
    check_near("loop", 0, sum, 5 * N + N * (N - 1) / 2, 1e-12);
#pragma acc parallel num_gangs(1) private(limits) copy(gangs)
    {
        limits.high += 1;
        gangs = limits.low + limits.high;
    }
    check_near("gangs", 0, gangs, 8, 1e-12);
#pragma acc parallel loop gang private(window) copyout(rows)
    for (int i = 0; i < N; i++) {
        double s = 0;
#pragma acc loop vector private(limits) reduction(+ : s)
        for (int j = 0; j < 10; j++) {
            limits.high = j;
            s += limits.low + limits.high;
        }
        Window own = window;
        own.add(s);
        rows[i] = own.sum();
    }
    for (int i = 0; i < N; i++)
        check_near("rows", i, rows[i], 4 + 45 - 10, 1e-12);
    check_near("outside", 0, window.b[0] + limits.low, 2001, 1e-12);
    return finish();
}

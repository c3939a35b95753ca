// The same launches on queues that alternate, with values that change: each queue keeps its order, and waits order queues.
// expect: launches=48 uploads=2 downloads=2
#include "check.h"

enum { N = 2000 };

static void step(int n, int queue, int times, int plus, int *a)
{
#pragma acc parallel loop present(a[0:n]) async(queue)
    for (int i = 0; i < n; i++)
        a[i] = a[i] * times + plus;
}

static int a[N], b[N];

int main(void)
{
    int want_a = 0, want_b = 0;
#pragma acc data copy(a, b)
    {
        for (int s = 0; s < 16; s++) {
            step(N, 1, 3, s, a);
            step(N, 2, 5, s, b);
            want_a = want_a * 3 + s;
            want_b = want_b * 5 + s;
        }
        /* The queues change arrays, at first once, then each time. */
#pragma acc wait(1, 2)
        for (int s = 0; s < 16; s++) {
            step(N, s % 2 + 1, 7, s, a);
            want_a = want_a * 7 + s;
#pragma acc wait(s % 2 + 1) async(2 - s % 2)
        }
#pragma acc wait
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], want_a);
        check_int("b", i, b[i], want_b);
    }
    return finish();
}

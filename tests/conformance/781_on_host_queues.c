// Asynchronous constructs, of which the host runs some: these come after what the queues hold, and are done when they are left.
// needs: separate
// expect: launches=3
#include "check.h"

#define N 100000

static int next(int x) { return x + 1; }

static int a[N], b[N];

int main(void)
{
    int (*volatile f)(int) = next;
#pragma acc enter data create(a, b)
#pragma acc parallel loop async(1) present(a)
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop async(2) present(b)
    for (int i = 0; i < N; i++)
        b[i] = 2 * i;
#pragma acc parallel loop async(2) wait(1) present(a, b)
    for (int i = 0; i < N; i++)
        b[i] += f(a[i]);
#pragma acc kernels async(1) present(a, b)
    for (int i = 0; i < N; i++)
        a[i] = f(b[i]);
#pragma acc parallel loop async(1) present(a)
    for (int i = 0; i < N; i++)
        a[i] *= 2;
#pragma acc wait
    check_int("a here", 7, a[7], 0);
#pragma acc exit data copyout(a, b)
    for (int i = 0; i < N; i++) {
        check_int("b", i, b[i], 3 * i + 1);
        check_int("a", i, a[i], 2 * (3 * i + 2));
    }
    return finish();
}

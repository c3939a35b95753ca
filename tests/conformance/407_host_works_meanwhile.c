// Between an asynchronous kernel and its wait the host computes on other data, and changes the
// scalars the kernel was launched with: the kernel keeps the values of its launch.
// expect: launches=10 uploads=1 downloads=1
#include "check.h"

#define N 4096

static long a[N], on_host[N];

int main(void)
{
    long factor = 1;
#pragma acc data copy(a)
    {
        for (int step = 0; step < 10; step++) {
#pragma acc parallel loop async(1)
            for (int i = 0; i < N; i++)
                a[i] += factor * i;
            factor *= 2;
            for (int i = 0; i < N; i++)
                on_host[i] += step;
        }
#pragma acc wait(1)
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], 1023L * i);
        check_int("on_host", i, on_host[i], 45);
    }
    return finish();
}

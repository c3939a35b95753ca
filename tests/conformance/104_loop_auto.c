// loop auto: the compiler decides, and must see that the second loop carries a dependence.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

#define N 120

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel num_gangs(1) copy(a)
    {
#pragma acc loop auto
        for (int i = 0; i < N; i++)
            a[i] = a[i] + 5;
    }
#pragma acc parallel num_gangs(1) copy(a)
    {
#pragma acc loop auto
        for (int i = 1; i < N; i++)
            a[i] = a[i] + a[i - 1];
    }
    for (int i = 0, sum = 0; i < N; i++) {
        sum += i + 5;
        check_int("a", i, a[i], sum);
    }
    return finish();
}

// bool variables and arrays, comparisons as numbers, logical not.
// expect: launches=1 uploads=2 downloads=2
#include <stdbool.h>
#include "check.h"

#define N 100

int main(void)
{
    bool even[N], sieve[N];
    int a[N], count[N];
    for (int i = 0; i < N; i++) {
        even[i] = i % 2 == 0;
        a[i] = i - 50;
    }
#pragma acc parallel loop copyin(even, a) copyout(sieve, count)
    for (int i = 0; i < N; i++) {
        bool prime = i > 1;
        for (int d = 2; d * d <= i && prime; d++)
            prime = i % d != 0;
        sieve[i] = prime;
        bool from_int = a[i], from_float = a[i] * 0.25f;
        count[i] = even[i] + !even[i] * 2 + (a[i] > 0) * 4 + from_int * 8 + from_float * 16 +
                   !!a[i] * 32 + (even[i] == prime) * 64;
    }
    for (int i = 0; i < N; i++) {
        int prime = i > 1;
        for (int d = 2; d < i; d++)
            if (i % d == 0)
                prime = 0;
        check_int("sieve", i, sieve[i], prime);
        check_int("count", i, count[i],
                  (i % 2 ? 2 : 1) + (i > 50) * 4 + (i != 50) * 56 + ((i % 2 == 0) == prime) * 64);
    }
    return finish();
}

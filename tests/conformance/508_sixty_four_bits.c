// 64-bit arithmetic: products that overflow 32 bits, unsigned wrap, mixed widths and signs,
// conversion before or after the operation.
// expect: launches=1 uploads=1 downloads=4
#include <stdint.h>
#include "check.h"

#define N 300

int main(void)
{
    int a[N];
    long product[N];
    unsigned long wrap[N];
    long long mixed[N];
    int compare[N];
    for (int i = 0; i < N; i++)
        a[i] = 1000000000 - i * 6000000;
#pragma acc parallel loop copyin(a) copyout(product, wrap, mixed, compare)
    for (int i = 0; i < N; i++) {
        product[i] = (long)a[i] * a[i];
        wrap[i] = 0xfffffffffffffff0UL + (unsigned)i;
        unsigned u = a[i];
        mixed[i] = u + 10 - (long)u * 3 + (a[i] - 1000000000000LL);
        compare[i] = (a[i] < 5u) + 2 * (a[i] < 5L) + 4 * ((long)a[i] > (long)u);
    }
    for (int i = 0; i < N; i++) {
        unsigned u = a[i];
        check_int("product", i, product[i], (long)a[i] * a[i]);
        check_int("wrap", i, (long)wrap[i], i - 16);
        check_int("mixed", i, mixed[i], u + 10 - (long)u * 3 + (a[i] - 1000000000000LL));
        check_int("compare", i, compare[i],
                  ((unsigned)a[i] < 5u) + 2 * ((long)a[i] < 5L) + 4 * ((long)a[i] > (long)u));
    }
    return finish();
}

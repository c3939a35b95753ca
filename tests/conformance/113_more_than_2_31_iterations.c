// More iterations than an int counts: a long index, in one loop and as the product of collapsed ones.
// slow
// expect: launches>=2
#include "check.h"

int main(void)
{
    long n = (1L << 31) + 12345, count = 0, last = 0;
#pragma acc parallel loop reduction(+ : count) reduction(max : last)
    for (long i = 0; i < n; i++) {
        if ((i & 0xfffff) == 7)
            count++;
        if (i > last)
            last = i;
    }
    check_int("count", 0, count, (n - 8) / (1L << 20) + 1);
    check_int("last", 0, last, n - 1);

    long rows = 70000;
    int columns = 31000;
    long product = 0;
#pragma acc parallel loop collapse(2) reduction(+ : product)
    for (long i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            product += (i ^ j) & 1;
    check_int("product", 0, product, rows * columns / 2);
    return finish();
}

// Variables of `declare` and routines that cannot be translated: their callers run on the host, with the device's variables.
// needs: separate
// expect: launches=2
#include <stdlib.h>
#include "check.h"

static int weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int counter;
#pragma acc declare copyin(weights) create(counter)

#pragma acc routine seq
static int weight(int i)
{
    return weights[i] * (getenv("ACCL_NO_SUCH_VARIABLE") ? 1 : 10);
}

#pragma acc routine seq
static int total(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += weight(i);
    return sum;
}

int main(void)
{
    int sums[3] = {0, 0, 0};
    for (int i = 0; i < 8; i++)
        weights[i] = -1;
#pragma acc serial copy(sums)
    {
        counter = 5;
        sums[0] = weights[7];
    }
#pragma acc serial copy(sums)
    {
        sums[1] = total();
        counter += 20;
        weights[0] = 100;
    }
#pragma acc serial copy(sums)
    sums[2] = counter + weights[0];
    check_int("sums", 0, sums[0], 8);
    check_int("sums", 1, sums[1], 360);
    check_int("sums", 2, sums[2], 125);
    check_int("counter", 0, counter, 0);
    check_int("weights", 0, weights[0], -1);
    return finish();
}

// Small arrays that nobody changes are sent once, and changed ones once more.
// flags: -gpu=autodata
// expect: launches=21 uploads=3 downloads=1
#include "check.h"
#include <stdlib.h>

static const int n = 50000;
static float taps[5] = {1, 2, 3, 2, 1};

int main(void)
{
    float *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to);
    for (int i = 0; i < n; i++)
        from[i] = i % 9;
    for (int step = 0; step < 20; step++) {
        if (step == 10)
            taps[2] = 4;
#pragma acc parallel loop
        for (int i = 2; i < n - 2; i++) {
            float sum = 0;
            for (int k = 0; k < 5; k++)
                sum += taps[k] * from[i + k - 2];
            to[i] = sum;
        }
    }
    float total = 0;
#pragma acc parallel loop reduction(max : total)
    for (int i = 2; i < n - 2; i++)
        total = total > to[i] ? total : to[i];
    check_near("total", 0, total, 61, 0);
    check_near("to", 11, to[11], 0 + 2 * 1 + 4 * 2 + 2 * 3 + 4, 0);
    free(from);
    free(to);
    return finish();
}

// Arrays that travel in several chunks, with sections that end inside of words.
// expect: launches=1 uploads=3 downloads=5
#include "check.h"
#include <math.h>
#include <stdlib.h>

struct pair {
    float x, y;
};

static float value(int i)
{
    return (float)(i % 1000) / 1000;
}

int main(void)
{
    int n = 5000003;
    float *a = malloc(n * sizeof *a), *packed = malloc(n * sizeof *packed);
    struct pair *pairs = malloc(n * sizeof *pairs);
    for (int i = 0; i < n; i++) {
        a[i] = packed[i] = value(i);
        pairs[i].x = value(i);
        pairs[i].y = -value(i);
    }
#pragma acc data ccopy(a[0:n:-4:4]) ccopy(bits(12): packed[0:n:-4:4]) ccopy(pairs[0:n:-4:4])
    {
#pragma acc parallel loop compression(a, packed, pairs)
        for (int i = 0; i < n; i++) {
            a[i] += 1;
            packed[i] += 1;
            pairs[i].y *= 2;
        }
        /* Across the border of two chunks, if they are of two million elements. */
#pragma acc update self(a[2097101:77], packed[2097101:2097177])
        for (int i = 2097101; i < 2097101 + 77; i++) {
            check_near("part of a", i, a[i], value(i) + 1, 1e-3);
            check_near("part of packed", i, packed[i], value(i) + 1, 1e-2);
        }
        check_true("the rest is left", a[2097100] == value(2097100) && packed[2097100] == value(2097100));
    }
    for (int i = 0; i < n; i++) {
        check_near("a", i, a[i], value(i) + 1, 1e-3);
        check_near("packed", i, packed[i], value(i) + 1, 1e-2);
        check_near("x", i, pairs[i].x, value(i), 1e-3);
        check_near("y", i, pairs[i].y, -2 * value(i), 1e-3);
    }
    free(a);
    free(packed);
    free(pairs);
    return finish();
}

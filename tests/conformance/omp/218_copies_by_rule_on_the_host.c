// What `defaultmap` says of variables holds where the host runs the construct, too.
#include "../check.h"

static int plus(int a, int b) { return a + b; }
static int (*volatile add)(int, int) = plus;

typedef struct {
    int a, b;
} Pair;

int main(void)
{
    int never = 0;
    for (int by_condition = 0; by_condition < 2; by_condition++) {
        int array[4] = {1, 2, 3, 4}, scalar = 9, other = 5, out[3] = {0, 0, 0}, *p = array;
        Pair pair = {1, 2};
        if (by_condition) {
#pragma omp target if(never) defaultmap(firstprivate: aggregate) map(tofrom: out)
            {
                pair.a = 5;
                array[0] = 100;
                out[0] = pair.a + array[0] + array[3];
            }
#pragma omp target if(never) defaultmap(tofrom: scalar)
            scalar += 1;
#pragma omp target if(never) map(tofrom: out)
            {
                other = 7;
                p += 2;
                out[1] = other;
                out[2] = *p;
            }
        } else {
#pragma omp target defaultmap(firstprivate: aggregate) map(tofrom: out)
            {
                pair.a = add(2, 3);
                array[0] = 100;
                out[0] = pair.a + array[0] + array[3];
            }
#pragma omp target defaultmap(tofrom: scalar)
            scalar = add(scalar, 1);
#pragma omp target map(tofrom: out) map(to: array)
            {
                other = add(3, 4);
                p += 2;
                out[1] = other;
                out[2] = *p;
            }
        }
        check_int("an array", by_condition, array[0], 1);
        check_int("a structure", by_condition, pair.a, 1);
        check_int("copies", by_condition, out[0], 109);
        check_int("a scalar", by_condition, scalar, 10);
        check_int("another", by_condition, other * 10 + out[1], 57);
        check_int("a pointer", by_condition, (int)(p - array) * 10 + out[2], 3);
    }
    return finish();
}

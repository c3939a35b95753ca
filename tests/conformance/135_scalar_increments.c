// ++ and -- of what a pointer points to: scalars that data clauses put on the device, dereferenced pointers,
// members behind pointers.
// expect: launches=3
#include "check.h"

struct pair {
    int up, down;
};

int main(void)
{
    int count = 3, values[8] = {0};
    double fall = 1.5;
    struct pair p = {1, 1};
#pragma acc serial copy(count, fall)
    {
        count++;
        ++count;
        fall--;
        count += 1;
    }
    check_int("count", 0, count, 6);
    check_near("fall", 0, fall, 0.5, 0);
#pragma acc kernels copy(values)
    {
        for (int *v = values; v < values + 8; v++) {
            *v += 1;
            (*v)++;
            --*v;
        }
        int *q = values + 2;
        *q++ += 5;
        (*q)--;
    }
    for (int i = 0; i < 8; i++)
        check_int("values", i, values[i], i == 2 ? 6 : i == 3 ? 0 : 1);
#pragma acc serial copy(p)
    {
        p.up++;
        p.down -= 1;
        struct pair *r = &p;
        r->up++;
        (*r).down--;
    }
    check_int("up", 0, p.up, 3);
    check_int("down", 0, p.down, -1);
    return finish();
}

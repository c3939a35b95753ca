// acc_attach and acc_detach: a pointer in a structure on the device follows what it points to.
// needs: runtime
// expect: launches=2 downloads=1
#include <openacc.h>
#include <stdlib.h>
#include "check.h"

struct list {
    int length;
    int *items;
};

int main(void)
{
    struct list one = {55, calloc(55, sizeof(int))}, *l = &one;
    int n = one.length;
    acc_copyin(l, sizeof *l);
    acc_copyin(one.items, n * sizeof(int));
    acc_attach((void **)&l->items);
    for (int step = 1; step <= 2; step++) {
#pragma acc parallel loop present(l[0:1])
        for (int i = 0; i < n; i++)
            l->items[i] += step * i;
    }
    acc_detach((void **)&l->items);
    acc_copyout(one.items, n * sizeof(int));
    acc_delete(l, sizeof *l);
    for (int i = 0; i < n; i++)
        check_int("items", i, one.items[i], 3 * i);
    free(one.items);
    return finish();
}

// Stack and heap addresses come back: the present table must forget an array when it is left, and
// accept another length at the same address.
// expect: launches=20 uploads=20 downloads=20
#include <stdlib.h>
#include "check.h"

static void on_stack(int n)
{
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= n;
    for (int i = 0; i < n; i++)
        check_int("stack", i, a[i], n * i);
}

static void on_heap(int n)
{
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += n;
#pragma acc exit data copyout(a[0:n])
    for (int i = 0; i < n; i++)
        check_int("heap", i, a[i], n + i);
    free(a);
}

int main(void)
{
    for (int step = 0; step < 10; step++) {
        on_stack(10 + step * 13 % 50);
        on_heap(200 - step * 17);
    }
    return finish();
}

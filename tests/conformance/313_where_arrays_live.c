// Arrays in static, external, stack and heap memory and of variable length, all in one region.
// expect: launches=1 uploads=6 downloads=1
#include <stdlib.h>
#include "check.h"

#define N 99

int external[N];
static int internal[N];

static void run(int n)
{
    static int local_static[N];
    int stack[N], variable[n], out[N];
    int *heap = malloc(n * sizeof *heap);
    for (int i = 0; i < n; i++) {
        external[i] = i;
        internal[i] = 2 * i;
        local_static[i] = 3 * i;
        stack[i] = 4 * i;
        variable[i] = 5 * i;
        heap[i] = 6 * i;
        out[i] = 0;
    }
#pragma acc parallel loop copyin(external, internal, local_static, stack, variable[0:n]) \
    copyin(heap[0:n]) copyout(out)
    for (int i = 0; i < n; i++)
        out[i] = external[i] + internal[i] + local_static[i] + stack[i] + variable[i] + heap[i];
    for (int i = 0; i < n; i++)
        check_int("out", i, out[i], 21 * i);
    free(heap);
}

int main(void)
{
    run(N);
    return finish();
}

// A program that requires shared memory gets what it asks for on every device: where a device has a memory of its own, the
// host runs its constructs.
// needs: runtime
#include "../check.h"
#include <omp.h>
#include <stdlib.h>
#pragma omp requires unified_shared_memory

#define N 100

static int global[N];

int main(void)
{
    int *heap = (int *)malloc(N * sizeof(int));
    int stack[N], *address = NULL;
    for (int i = 0; i < N; i++)
        heap[i] = stack[i] = global[i] = i;
#pragma omp target map(tofrom : address)
    {
        address = &stack[3];
        for (int i = 0; i < N; i++) {
            heap[i] += 10;
            stack[i] += 20;
            global[i] += 30;
        }
    }
    check_int("address", 0, address == &stack[3], 1);
#pragma omp target data map(to : heap[0 : N])
    {
        for (int i = 0; i < N; i++)
            heap[i]++;
        int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
        for (int i = 0; i < N; i++)
            sum += heap[i];
        check_int("sum", 0, sum, N * (N - 1) / 2 + 11 * N);
    }
    for (int i = 0; i < N; i++) {
        check_int("stack", i, stack[i], i + 20);
        check_int("global", i, global[i], i + 30);
    }
    free(heap);
    return finish();
}

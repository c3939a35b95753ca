// Atomic operations of a local variable, of a global and of elements: the loop stays parallel.
// expect: launches=2
#include "../check.h"

#define N 5000

static int histogram[10], largest, a[N];

int main(void)
{
    int count = 0, slot[N];
#pragma omp target teams distribute parallel for map(tofrom: count, histogram, largest) map(from: slot)
    for (int i = 0; i < N; i++) {
#pragma omp atomic update
        histogram[i % 10]++;
#pragma omp atomic capture
        slot[i] = count++;
#pragma omp atomic compare
        if (largest < i) {
            largest = i;
        }
    }
    check_int("count", 0, count, N);
    check_int("largest", 0, largest, N - 1);
    for (int i = 0; i < 10; i++)
        check_int("histogram", i, histogram[i], N / 10);
    for (int i = 0; i < N; i++)
        a[slot[i]]++;
    for (int i = 0; i < N; i++)
        check_int("slots", i, a[i], 1);
#pragma omp target teams distribute parallel for map(tofrom: count)
    for (int i = 0; i < N; i++)
#pragma omp atomic write seq_cst
        count = 7;
    check_int("count", 1, count, 7);
    return finish();
}

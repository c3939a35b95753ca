// cache is always right: inside its range the block's copy is read, outside the array itself.
// expect: launches=3 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 1000;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = (i * 29) % 31;
#pragma acc data copyin(a[:n]) copyout(b[:n])
    {
#pragma acc parallel loop gang vector(128)
        for (int i = 1; i < n - 1; i++) {
#pragma acc cache(a[i - 1:3])
            b[i] = a[i - 1] + a[i] + a[i + 1];
        }
        // Reads beyond its range.
#pragma acc parallel loop gang vector(128)
        for (int i = 1; i < n - 1; i++) {
#pragma acc cache(a[i:1])
            float x = a[(i * 7) % n];
            b[i] += a[i] + x;
        }
        // A range that moves with a loop, proven up to its end; and a subscript that changes.
#pragma acc parallel loop gang vector(128)
        for (int i = 1; i < n - 1; i++) {
            float sum = 0;
            for (int first = 0; first < n; first += 50) {
                int end = first + 50 < n ? first + 50 : n;
                int k = first;
#pragma acc cache(a[first:50], a[k:1])
                for (int j = first; j < end; j++)
                    sum += a[j];
                k = (i * 3) % n;
                sum += a[k];
            }
            b[i] += sum;
        }
    }
    float all = 0;
    for (int i = 0; i < n; i++)
        all += a[i];
    for (int i = 1; i < n - 1; i++) {
        float want = a[i - 1] + 2 * a[i] + a[i + 1] + a[(i * 7) % n] + all + (n + 49) / 50 * a[(i * 3) % n];
        check_near("b", i, b[i], want, 1e-6);
    }
    free(a);
    free(b);
    return finish();
}

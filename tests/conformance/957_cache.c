// cache is always right: inside its range the block's copy is read, outside the array itself.
// expect: launches=4 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

int main(void)
{
    int n = 1010; // beyond a multiple of 48 by 2, so that two stretches are near the end
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
        // Proven by the condition around it, and not: the last of the second reach past the range.
#pragma acc parallel loop gang vector(128)
        for (int i = 1; i < n - 1; i++) {
            float sum = 0;
            for (int first = 0; first < n; first += 48) {
#pragma acc cache(a[first:48])
                if (first + 48 <= n) {
                    for (int j = first; j < first + 48; j++)
                        sum += a[j];
                } else {
                    for (int j = first; j < n; j++)
                        sum += a[j];
                }
                if (n < first + 60)
                    for (int j = first; j < n; j++)
                        sum += a[j];
            }
            b[i] += sum;
        }
    }
    float again = 0;
    for (int first = 0; first < n; first += 48)
        for (int j = first; j < n && n < first + 60; j++)
            again += a[j];
    float all = 0;
    for (int i = 0; i < n; i++)
        all += a[i];
    for (int i = 1; i < n - 1; i++) {
        float want = a[i - 1] + 2 * a[i] + a[i + 1] + a[(i * 7) % n] + 2 * all + again + (n + 49) / 50 * a[(i * 3) % n];
        check_near("b", i, b[i], want, 1e-6);
    }
    free(a);
    free(b);
    return finish();
}

// update of a compressed array encodes and decodes; sections may begin and end inside of a word.
// expect: launches=3 uploads=4 downloads=6
#include "check.h"
#include <math.h>

enum { N = 300 };

static float a[N], packed[N], expected[N];

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++)
        a[i] = packed[i] = expected[i] = sinf((float)i);
#pragma acc data ccopyin(a[0:n:-8:8]) ccopyin(bits(12): packed[0:n:-8:8])
    {
#pragma acc parallel loop compression(a, packed)
        for (int i = 0; i < n; i++) {
            a[i] += 1;
            packed[i] += 1;
        }
        /* Only a part comes back. */
#pragma acc update self(a[10:20], packed[11:21])
        for (int i = 0; i < n; i++) {
            float want = expected[i] + (i >= 10 && i < 30);
            float want_packed = expected[i] + (i >= 11 && i < 32);
            check_near("a", i, a[i], want, 16.0 / 65536);
            check_near("packed", i, packed[i], want_packed, 16.0 / 4096);
            check_true("elements outside of the section are left", i >= 10 && i < 32 || a[i] == expected[i]);
        }
        for (int i = 0; i < n; i++)
            a[i] = packed[i] = -5;
        /* A part is replaced; its neighbours in the same words stay. */
#pragma acc update device(a[101:7], packed[101:7])
#pragma acc parallel loop compression(a, packed)
        for (int i = 0; i < n; i++) {
            a[i] *= 1.5f;
            packed[i] *= 1.5f;
        }
#pragma acc update self(a[0:n], packed[0:n])
        for (int i = 0; i < n; i++) {
            float want = i >= 101 && i < 108 ? -7.5f : 1.5f * (expected[i] + 1);
            check_near("a after update device", i, a[i], want, 40.0 / 65536);
            check_near("packed after update device", i, packed[i], want, 40.0 / 4096);
        }
#pragma acc parallel loop compression(a, packed)
        for (int i = 1; i < n - 1; i++) {
            a[i] = i % 7;
            packed[i] = i % 7;
        }
#pragma acc update self(a[0:n]) self(packed[0:n])
    }
    for (int i = 1; i < n - 1; i++) {
        check_near("a at last", i, a[i], i % 7, 8.5 / 65536);
        check_near("packed at last", i, packed[i], i % 7, 8.5 / 4096);
    }
    return finish();
}

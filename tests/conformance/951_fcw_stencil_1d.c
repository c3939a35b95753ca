// fcw FETCH_ONLY: a block keeps its elements and those of its neighbours; windows end where the array does.
// expect: launches=7 uploads=1 downloads=3
#include <stdlib.h>
#include "check.h"

static void smooth(int n, const float *a, float *b)
{
#pragma acc parallel loop gang vector(64) present(a[:n], b[:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:2:1])
        {
            float left = i > 1 ? a[i - 2] : 0.0f;
            float right = i < n - 1 ? a[i + 1] : 0.0f;
            b[i] = left + 2.0f * a[i] + right;
        }
    }
}

int main(void)
{
    int sizes[] = {1, 64, 1000};
    for (int s = 0; s < 3; s++) {
        int n = sizes[s];
        float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
        for (int i = 0; i < n; i++)
            a[i] = (i * 13) % 17;
        if (s == 2) {
#pragma acc data copyin(a[:n]) copyout(b[:n])
            smooth(n, a, b);
        } else {
#pragma acc data create(a[:n], b[:n])
            {
#pragma acc parallel loop present(a[:n])
                for (int i = 0; i < n; i++)
                    a[i] = (i * 13) % 17;
                smooth(n, a, b);
#pragma acc parallel loop present(b[:n])
                for (int i = 0; i < n; i++)
                    b[i] += 0.0f;
#pragma acc update self(b[:n])
            }
        }
        for (int i = 0; i < n; i++) {
            float want = (i > 1 ? a[i - 2] : 0.0f) + 2.0f * a[i] + (i < n - 1 ? a[i + 1] : 0.0f);
            check_near("b", i, b[i], want, 1e-6);
        }
        free(a);
        free(b);
    }
    return finish();
}

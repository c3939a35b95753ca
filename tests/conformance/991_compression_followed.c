// A kernel that loads pointers from device memory cannot know that they lead to compressed arrays: it is not launched.
// Kernels that follow other pointers of the same structures, or only compare these, are. A function does it for the kernel.
// devices: cpu cuda
// expect-exit: nonzero
// expect-stderr: error.ACCL0810.: the kernel follows a pointer of name=t on the device to name=x, which is held compressed .range, 16 bits.
// expect-stderr: 991_compression_followed.c:37: parallel loop .in follow.
// expect-stderr: compressed by: .*991_compression_followed.c:59: enter data .in main.
// expect-stderr: help: take the pointer on the host
// expect: launches=4
// needs: runtime
#include <stdlib.h>
#include "check.h"

enum { M = 3, N = 100 };

struct field {
    float *x, *y;
};

static void plain(struct field *t, float *restrict sums)
{
#pragma acc parallel loop present(t[0:M]) copyout(sums[0:N])
    for (int i = 0; i < N; i++)
        sums[i] = t[i % M].x ? t[i % M].y[i] : 0;
#pragma acc parallel loop present(t[0:M]) copy(sums[0:N])
    for (int i = 0; i < N; i++)
        sums[i] += (&t[1])[1].y[i];
}

static float element(const struct field *f, int i)
{
    return f->x[i];
}

static void follow(struct field *t, float *restrict sums)
{
#pragma acc parallel loop present(t[0:M]) copyout(sums[0:N])
    for (int i = 0; i < N; i++)
        sums[i] = element(&t[i % M], i);
}

int main(void)
{
    struct field *t = malloc(M * sizeof *t);
    float sums[N];
    for (int k = 0; k < M; k++) {
        t[k].x = malloc(N * sizeof(float));
        t[k].y = malloc(N * sizeof(float));
        for (int i = 0; i < N; i++) {
            t[k].x[i] = (float)i / N;
            t[k].y[i] = i + k;
        }
    }
#pragma acc enter data copyin(t[0:M])
    for (int k = 0; k < M; k++) {
        float *x = t[k].x, *y = t[k].y;
        // The plain ones too.
#pragma acc enter data copyin(y[0:N])
#pragma acc enter data ccopyin(x[0:N:-2:2])
#pragma acc enter data attach(t[k].x, t[k].y)
    }
    plain(t, sums);
    for (int i = 0; i < N; i++)
        check_near("y", i, sums[i], i + i % M + i + 2, 0.0);
    // The same launch twice, to plain arrays; then one pointer is attached anew.
    float *x = t[1].x;
    for (int k = 0; k < M; k++) {
        t[k].x = t[k].y;
#pragma acc enter data attach(t[k].x)
    }
    follow(t, sums);
    follow(t, sums);
    for (int i = 0; i < N; i++)
        check_near("y again", i, sums[i], i + i % M, 0.0);
    t[1].x = x;
#pragma acc enter data attach(t[1].x)
    if (failures == 0)
        follow(t, sums);
    return finish();
}

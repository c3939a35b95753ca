// A list on the device: the kernel gets its first node and finds the others by pointers. One of them points to a
// compressed array, which the launch finds too.
// devices: cpu cuda
// expect-exit: nonzero
// expect-stderr: error.ACCL0810.: the kernel follows a pointer of name=p on the device to name=x, which is held compressed .half.
// expect-stderr: 992_compression_followed_further.c:23: parallel loop .in sums.
// expect-stderr: compressed by: .*992_compression_followed_further.c:57: enter data .in main.
// expect: launches=1
// needs: runtime
#include <stdlib.h>
#include "check.h"

enum { M = 3, N = 100 };

struct node {
    float *x;
    struct node *next;
};

static void sums(struct node *first, float *restrict sum)
{
    struct node *p = first;
#pragma acc parallel loop present(p[0:1]) copyout(sum[0:N])
    for (int i = 0; i < N; i++) {
        float all = 0;
        for (struct node *node = p; node; node = node->next)
            all += node->x[i];
        sum[i] = all;
    }
}

int main(void)
{
    struct node *nodes[M];
    float sum[N];
    for (int k = 0; k < M; k++) {
        nodes[k] = malloc(sizeof *nodes[k]);
        nodes[k]->x = malloc(N * sizeof(float));
        nodes[k]->next = k ? nodes[k - 1] : NULL;
        for (int i = 0; i < N; i++)
            nodes[k]->x[i] = i + k;
        struct node *node = nodes[k], *next = node->next;
        float *x = node->x;
#pragma acc enter data copyin(node[0:1], x[0:N])
#pragma acc enter data attach(node->x)
        if (next) {
#pragma acc enter data attach(node->next)
        }
    }
    sums(nodes[M - 1], sum);
    for (int i = 0; i < N; i++)
        check_near("sum", i, sum[i], 3 * i + 3, 0.0);
    struct node *middle = nodes[1];
    float *x = middle->x;
#pragma acc exit data detach(middle->x)
#pragma acc exit data delete(x[0:N])
#pragma acc enter data ccopyin(scheme(half): x[0:N])
#pragma acc enter data attach(middle->x)
    if (failures == 0)
        sums(nodes[M - 1], sum);
    return finish();
}

// Kernels that a device's language cannot express, for OpenCL those that allocate memory: the cpu runs them with the device's
// contents of what is present, and their file's other kernels run on the device.
// expect: launches=6
// flags: -Wno-unused
#include "check.h"
#include <stdlib.h>
#define N 100

int main(void)
{
    int a[N], b[N], scale = 3, sum = 0, most = 0;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
#pragma acc data copy(a) copyin(b)
    {
#pragma acc parallel loop present(a)
        for (int i = 0; i < N; i++)
            a[i] *= 2;
        // What the device has differs from what the host has here.
#pragma acc parallel loop present(a, b) firstprivate(scale) reduction(+ : sum) async(1)
        for (int i = 0; i < N; i++) {
            int *row = (int *)malloc(sizeof *row * (i + 1));
            for (int j = 0; j <= i; j++)
                row[j] = a[i] + b[j] * scale;
            a[i] = row[i];
            sum += row[0];
            free(row);
        }
#pragma acc wait(1)
        check_int("on the host", 1, a[1], 1);
        check_int("sum", 0, sum, N * (N - 1));
#pragma acc parallel loop present(a)
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma acc parallel loop gang present(a) reduction(max : most)
        for (int i = 0; i < N; i++) {
            int *one = (int *)malloc(sizeof(int));
            *one = a[i];
#pragma acc loop vector reduction(max : most)
            for (int j = 0; j < 4; j++)
                most = most > *one + j ? most : *one + j;
            free(one);
        }
        check_int("most", 0, most, (N - 1) * 5 + 1 + 3);
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i * 5 + 1);
    // Of memory that is not present.
    int c[N] = {0};
#pragma acc parallel loop copyout(c) copyin(b)
    for (int i = 0; i < N; i++) {
        int *row = (int *)malloc(sizeof *row);
        *row = b[i];
        c[i] = *row;
        free(row);
    }
    for (int i = 0; i < N; i++)
        check_int("c", i, c[i], i);
    int done = 0;
#pragma acc serial copy(done)
    {
        int *p = (int *)malloc(sizeof *p);
        *p = 7;
        done += *p;
        free(p);
    }
    check_int("serial", 0, done, 7);
    return finish();
}

// Members that are attached to compressed arrays: enter data, data and compute constructs, the runtime's routines, the
// structure before its arrays and behind them, in all schemes. Kernels that name the members read and write them.
// needs: runtime
// expect: launches=13
#include <openacc.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"

enum { N = 1000 };

struct field {
    int n;
    float *x, *y;
    double *z;
};

static struct field made(void)
{
    struct field s = {N, malloc(N * sizeof(float)), malloc(N * sizeof(float)), malloc(N * sizeof(double))};
    for (int i = 0; i < N; i++) {
        s.x[i] = (float)(i % 64) / 64;
        s.y[i] = (float)(i % 33) / 16;
        s.z[i] = i % 100;
    }
    return s;
}

static void released(struct field s)
{
    free(s.x);
    free(s.y);
    free(s.z);
}

/* The structure first. Its pointers stay what they are on the host, whichever way it travels. */
static void structure_first(void)
{
    struct field s = made(), host = s;
    double sum = 0;
#pragma acc enter data copyin(s)
#pragma acc enter data ccopyin(s.x[0:N:-4:4]) ccopyin(bits(12): s.y[0:N:0:8]) ccopyin(scheme(block): s.z[0:N])
#pragma acc enter data attach(s.x, s.y, s.z)
#pragma acc parallel loop present(s) compression(s.x, s.y)
    for (int i = 0; i < s.n; i++)
        s.x[i] += s.y[i];
    s.n = N / 2;
#pragma acc update device(s)
#pragma acc parallel loop present(s) compression(s.z) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += s.z[i] + s.n;
#pragma acc update self(s)
#pragma acc update self(s.x[0:N])
    check_int("pointers", 0, memcmp(&s.x, &host.x, 3 * sizeof(void *)), 0);
    check_near("sum", 0, sum, 49.5 * N + (double)N * N / 2, 1);
    for (int i = 0; i < N; i++)
        check_near("x", i, s.x[i], (float)(i % 64) / 64 + (float)(i % 33) / 16, 4e-3);
#pragma acc exit data detach(s.x, s.y, s.z)
#pragma acc exit data delete(s.x[0:N], s.y[0:N], s.z[0:N])
#pragma acc exit data copyout(s)
    check_int("pointers", 1, memcmp(&s.x, &host.x, 3 * sizeof(void *)), 0);
    released(s);
}

/* The arrays first; formats without a range. */
static void arrays_first(void)
{
    struct field s = made(), host = s;
#pragma acc enter data ccopyin(scheme(half): s.x[0:N]) ccopyin(scheme(bfloat): s.y[0:N]) ccopyin(scheme(affine): s.z[0:N:0:300])
#pragma acc enter data copyin(s) attach(s.x, s.y, s.z)
#pragma acc parallel loop present(s) compression(scheme(half): s.x) compression(scheme(bfloat): s.y) compression(scheme(affine): s.z)
    for (int i = 0; i < N; i++)
        s.z[i] += s.x[i] + s.y[i];
#pragma acc exit data detach(s.x, s.y, s.z) copyout(s.z[0:N]) delete(s.x[0:N], s.y[0:N])
#pragma acc exit data copyout(s)
    check_int("pointers", 2, memcmp(&s.x, &host.x, 3 * sizeof(void *)), 0);
    for (int i = 0; i < N; i++)
        check_near("z", i, s.z[i], i % 100 + (float)(i % 64) / 64 + (float)(i % 33) / 16, 0.02);
    released(s);
}

/* Constructs attach and detach; a clause may stand before the one that brings the array. */
static void constructs(void)
{
    struct field s = made(), host = s, *p = &s;
#pragma acc data attach(s.x) copy(s) ccopy(s.x[0:N:-4:4])
    {
#pragma acc parallel loop compression(s.x)
        for (int i = 0; i < N; i++)
            s.x[i] += 1;
#pragma acc parallel loop attach(s.x) compression(s.x)
        for (int i = 0; i < N; i++)
            s.x[i] += 1;
    }
    check_int("pointers", 3, memcmp(&s.x, &host.x, 3 * sizeof(void *)), 0);
#pragma acc parallel loop copyin(p[0:1]) attach(p->y) ccopy(p->y[0:N:0:4])
    for (int i = 0; i < p->n; i++)
        p->y[i] += 2;
    for (int i = 0; i < N; i++) {
        check_near("x", N + i, s.x[i], (float)(i % 64) / 64 + 2, 1e-3);
        check_near("y", i, s.y[i], (float)(i % 33) / 16 + 2, 1e-3);
    }
    released(s);
}

/* Attached twice, detached twice; in between a plain array takes the place of the compressed one. */
static void routines(void)
{
    struct field s = made(), *p = &s;
    acc_copyin(p, sizeof *p);
#pragma acc enter data ccopyin(p->x[0:N:0:8])
    acc_attach((void **)&p->x);
    acc_attach_async((void **)&p->x, 1);
#pragma acc parallel loop present(p[0:1]) compression(p->x) async(1)
    for (int i = 0; i < N; i++)
        p->x[i] *= 2;
    acc_detach_async((void **)&p->x, 1);
#pragma acc parallel loop present(p[0:1]) compression(p->x) async(1)
    for (int i = 0; i < N; i++)
        p->x[i] *= 2;
    acc_wait(1);
    acc_detach_finalize((void **)&p->x);
    acc_update_self(p->x, N * sizeof *p->x);
#pragma acc exit data delete(p->x[0:N])
    acc_copyin(p->x, N * sizeof *p->x);
    acc_attach((void **)&p->x);
#pragma acc parallel loop present(p[0:1])
    for (int i = 0; i < N; i++)
        p->x[i] += 1;
    acc_detach((void **)&p->x);
    acc_copyout(p->x, N * sizeof *p->x);
    acc_delete(p, sizeof *p);
    for (int i = 0; i < N; i++)
        check_near("x", 2 * N + i, s.x[i], (float)(i % 64) / 16 + 1, 2e-3);
    released(s);
}

/* Each element of an array of structures has its own array; the host goes from one to the next. */
static void array_of_structures(void)
{
    enum { M = 4 };
    struct field t[M];
    for (int k = 0; k < M; k++)
        t[k] = made();
#pragma acc enter data copyin(t)
    for (int k = 0; k < M; k++) {
        float *x = t[k].x;
#pragma acc enter data ccopyin(x[0:N:-8:8])
#pragma acc enter data attach(t[k].x)
    }
    for (int k = 0; k < M; k++) {
        float *x = t[k].x;
#pragma acc parallel loop present(t) compression(x)
        for (int i = 0; i < t[k].n; i++)
            x[i] += t[k].n / N * k;
    }
    for (int k = 0; k < M; k++) {
        float *x = t[k].x;
#pragma acc exit data detach(t[k].x)
#pragma acc exit data copyout(x[0:N])
        for (int i = 0; i < N; i++)
            check_near("t", k * N + i, x[i], (float)(i % 64) / 64 + k, 1e-3);
    }
#pragma acc exit data delete(t)
    for (int k = 0; k < M; k++)
        released(t[k]);
}

int main(void)
{
    structure_first();
    arrays_first();
    constructs();
    routines();
    array_of_structures();
    return finish();
}

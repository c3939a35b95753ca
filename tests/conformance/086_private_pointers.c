// Pointers that threads have for themselves point into device memory: private, firstprivate and in no clause, set in
// the construct from arrays, pointers, structures and members.
// expect: launches=14
#include <stdlib.h>
#include "check.h"

#define N 300

typedef struct {
    float x, y;
    int id;
} node;

typedef struct {
    float *u;
    int n;
} holder;

#pragma acc routine seq
static float first_of(const float *q)
{
    return q[0];
}

static float a[N], b[N], pa_values[N], pb_values[N];
static node v_values[N];

static void set(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 0;
        pa_values[i] = 2 * i;
        pb_values[i] = 0;
        v_values[i] = (node){i, -i, i};
    }
}

/* private, arrays */
static void private_arrays(void)
{
    int n = N;
    int i;
    float *p;
    float *q;
#pragma acc parallel loop private(p, q)
    for (i = 0; i < n; i++) {
        p = &a[i];
        q = &b[i];
        q[0] = p[0] + 1;
    }
    for (i = 0; i < n; i++)
        check_near("b", i, b[i], i + 1, 0);
}

/* no clause */
static void set_in_the_loop(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
    float *q;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        p = &pa[i];
        q = pb + i;
        *q = *p + 1;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i + 1, 0);
}

/* firstprivate, incremented */
static void first_value_moved(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
    p = pa;
#pragma acc parallel loop firstprivate(p) copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        p += i;
        pb[i] = *p;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* pointer into struct array */
static void into_structures(void)
{
    int n = N;
    int i;
    float *pb = pb_values;
    node *rv;
    node *v = v_values;
#pragma acc parallel loop private(rv) copyin(v[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        rv = &v[i];
        pb[i] = rv->x - rv->y + rv[0].id;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 3 * i, 0);
}

/* loop private on an inner loop, p set at gang level */
static void set_by_gangs(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
    float *q;
#pragma acc parallel copyin(pa[0:n]) copy(pb[0:n]) private(p)
    {
        p = pa;
#pragma acc loop private(q)
        for (i = 0; i < n; i++) {
            q = pb + i;
            *q = p[i];
        }
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* kernels */
static void in_kernels(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
    float *q;
#pragma acc kernels copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        p = &pa[i];
        q = &pb[i];
        q[0] = p[0] + 1;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i + 1, 0);
}

/* firstprivate pointer not changed, points into present data */
static void first_value_read(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
    p = pa + 3;
#pragma acc data copyin(pa[0:n]) copy(pb[0:n])
#pragma acc parallel loop firstprivate(p)
    for (i = 0; i < n - 3; i++)
        pb[i] = p[i];
    for (i = 0; i < n - 3; i++)
        check_near("pb", i, pb[i], 2 * i + 6, 0);
}

/* serial */
static void in_serial(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
    float *q;
#pragma acc serial copyin(pa[0:n]) copy(pb[0:n])
    {
        p = pa;
        q = pb;
        for (i = 0; i < n; i++)
            *q++ = *p++;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* private pointer given to a routine */
static void given_to_routine(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    const float *cp;
#pragma acc parallel loop private(cp) copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        cp = &pa[i];
        pb[i] = first_of(cp);
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* lavaMD */
static void boxes(void)
{
    int n = N;
    int i;
    float *pb = pb_values;
    float *p;
    node *rv;
    node *v = v_values;
#pragma acc parallel loop private(rv, p) copyin(v[0:n]) copy(pb[0:n])
    for (i = 0; i < n / 10; i++) {
        int first = i * 10;
        rv = &v[first];
        p = &pb[first];
#pragma acc loop vector
        for (int j = 0; j < 10; j++) {
            float s = 0;
            for (int k = 0; k < 10; k++)
                s += rv[k].x;
            p[j] += s + rv[j].id;
        }
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], i / 10 * 100 + 45 + i, 0);
}

/* private array of pointers, private clause */
static void private_array_of_pointers(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    {
        float *t[2];
#pragma acc parallel loop private(t) copyin(pa[0:n]) copy(pb[0:n])
        for (i = 0; i < n; i++) {
            t[0] = &pa[i];
            t[1] = &pb[i];
            *t[1] = *t[0];
        }
        for (i = 0; i < n; i++)
            check_near("pb", i, pb[i], 2 * i, 0);
    }
}

/* private struct clause */
static void private_structure(void)
{
    int n = N;
    int i;
    {
        holder h;
#pragma acc parallel loop private(h)
        for (i = 0; i < n; i++) {
            h.u = &b[i];
            h.u[0] = a[i];
        }
        for (i = 0; i < n; i++)
            check_near("b", i, b[i], i, 0);
    }
}

/* 2d array rows */
static void rows(void)
{
    int n = N;
    int i;
    float *p;
    {
        static float m[N][8];
        for (i = 0; i < n; i++)
            m[i][5] = i;
#pragma acc parallel loop private(p)
        for (i = 0; i < n; i++) {
            p = m[i];
            p[4] = p[5];
        }
        for (i = 0; i < n; i++)
            check_near("m", i, m[i][4], i, 0);
    }
}

/* private pointer in kernels with a loop clause, cast */
static void cast(void)
{
    int n = N;
    int i;
    float *p;
#pragma acc kernels
#pragma acc loop independent private(p)
    for (i = 0; i < n; i++) {
        unsigned char *c = (unsigned char *)&a[i];
        p = (float *)c;
        b[i] = *p;
    }
    for (i = 0; i < n; i++)
        check_near("b", i, b[i], i, 0);
}

int main(void)
{
    void (*all[])(void) = {private_arrays, set_in_the_loop, first_value_moved, into_structures, set_by_gangs,
                             in_kernels, first_value_read, in_serial, given_to_routine, boxes,
                             private_array_of_pointers, private_structure, rows, cast};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
        set();
        all[k]();
    }
    return finish();
}

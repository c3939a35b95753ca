// Pointers formed in a construct point into device memory, whatever they are kept in and however they come about;
// arrays of which only addresses are used are there too.
// expect: launches=22
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

#pragma acc routine seq
static float *advance(float *q, int k)
{
    return q + k;
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

/* local pointer, p++ */
static void stepped(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n - 4; i++) {
        float *r = pa + i;
        float s = 0;
        for (int k = 0; k < 4; k++)
            s += *r++;
        pb[i] = s;
    }
    for (i = 0; i < n - 4; i++)
        check_near("pb", i, pb[i], 8 * i + 12, 0);
}

/* private struct with a pointer member */
static void member_of_local(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        holder h;
        h.u = &pa[i];
        h.n = 1;
        pb[i] = h.u[0] + h.n;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i + 1, 0);
}

/* private array of pointers */
static void local_array_of_pointers(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n - 1; i++) {
        float *t[2];
        t[0] = &pa[i];
        t[1] = &pb[i];
        t[1][0] = t[0][0] + t[0][1];
    }
    for (i = 0; i < n - 1; i++)
        check_near("pb", i, pb[i], 4 * i + 2, 0);
}

/* ternary */
static void chosen(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copyin(a) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        const float *r = i % 2 ? pa + i : a + i;
        pb[i] = *r;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], i % 2 ? 2 * i : i, 0);
}

/* returned from routine, written through */
static void returned(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        float *r = advance(pb, i);
        *r = first_of(pa + i);
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* same, implicit data */
static void returned_into_implicit(void)
{
    int n = N;
    int i;
#pragma acc parallel loop
    for (i = 0; i < n; i++) {
        float *r = advance(b, i);
        *r = first_of(&a[i]);
    }
    for (i = 0; i < n; i++)
        check_near("b", i, b[i], i, 0);
}

/* comparisons */
static void compared(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *q;
    q = pa + 7;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        float *r = &pa[i];
        pb[i] = r == q ? 1 : r < q ? 2 : 3;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], i == 7 ? 1 : i < 7 ? 2 : 3, 0);
}

/* null */
static void null(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *q;
    q = 0;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        float *r = i % 3 ? &pa[i] : 0;
        pb[i] = r ? *r : -1;
        if (q)
            pb[i] += *q;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], i % 3 ? 2 * i : -1, 0);
}

/* while over a pointer */
static void counting_by_pointer(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        float s = 0;
        for (const float *r = pa; r < pa + i; r++)
            s += *r;
        pb[i] = s;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], i * (i - 1), 0);
}

/* address only */
static void difference(void)
{
    int n = N;
    int i;
    float *pb = pb_values;
#pragma acc parallel loop copy(pb[0:n])
    for (i = 0; i < n; i++) {
        float *r = &a[i], *s = &a[n - 1 - i];
        pb[i] = r - s;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i - n + 1, 0);
}

/* struct copied */
static void structure_copied(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        holder h = {pa + i, 1}, g;
        g = h;
        pb[i] = *g.u + g.n;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i + 1, 0);
}

/* member array */
static void array_member(void)
{
    int n = N;
    int i;
    float *pb = pb_values;
    float *p;
    {
        struct {
            float w[8];
        } *m = calloc(N, sizeof *m);
        for (i = 0; i < n; i++)
            m[i].w[3] = i;
#pragma acc parallel loop private(p) copyin(m[0:n]) copy(pb[0:n])
        for (i = 0; i < n; i++) {
            p = m[i].w;
            pb[i] = p[3];
        }
        for (i = 0; i < n; i++)
            check_near("pb", i, pb[i], i, 0);
    }
}

/* pointer to pointer local */
static void pointer_to_pointer(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
#pragma acc parallel loop private(p) copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        float **pp = &p;
        *pp = &pa[i];
        pb[i] = *p;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* host pointer compared only with host pointer */
static void host_pointers_compared(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
    float *q;
    q = pa + 7;
    p = pa + 7;
#pragma acc parallel loop copy(pb[0:n])
    for (i = 0; i < n; i++) {
        pb[i] = q == p ? 1 : 2;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 1, 0);
}

/* stored to memory in device */
static void kept_in_memory(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    {
        float **t = calloc(N, sizeof *t);
#pragma acc data create(t[0:n]) copyin(pa[0:n]) copy(pb[0:n])
        {
#pragma acc parallel loop
            for (i = 0; i < n; i++)
                t[i] = &pa[n - 1 - i];
#pragma acc parallel loop
            for (i = 0; i < n; i++)
                pb[i] = *t[i];
        }
        for (i = 0; i < n; i++)
            check_near("pb", i, pb[i], 2 * (n - 1 - i), 0);
    }
}

/* memcpy like helper writing through struct member */
static void member_into_implicit(void)
{
    int n = N;
    int i;
#pragma acc parallel loop
    for (i = 0; i < n; i++) {
        holder h;
        h.u = &b[i];
        h.u[0] = a[i];
    }
    for (i = 0; i < n; i++)
        check_near("b", i, b[i], i, 0);
}

/* pointer passed by reference to a struct pointer routine */
static void structure_by_pointer(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        holder h, *hp = &h;
        hp->u = &pa[i];
        pb[i] = hp->u[0];
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* local array and global through one pointer type */
static void own_array(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
    float *p;
#pragma acc parallel loop private(p) copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        float loc[2] = {1, 2};
        p = loc;
        float s = p[1];
        pb[i] = s + pa[i];
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i + 2, 0);
}

/* swap in sequential loop */
static void exchanged(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc serial copy(pa[0:n], pb[0:n])
    {
        float *x = pa, *y = pb;
        for (int k = 0; k < 3; k++) {
            for (i = 0; i < n; i++)
                y[i] = x[i] + 1;
            float *z = x;
            x = y;
            y = z;
        }
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i + 3, 0);
}

/* written through a cast integer */
static void by_way_of_integer(void)
{
    int n = N;
    int i;
    float *pa = pa_values;
    float *pb = pb_values;
#pragma acc parallel loop copyin(pa[0:n]) copy(pb[0:n])
    for (i = 0; i < n; i++) {
        long z = (long)&pa[i];
        pb[i] = *(float *)z;
    }
    for (i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2 * i, 0);
}

/* up to the end of what is there */
static void to_the_end(void)
{
    int n = N;
    float *pb = pb_values, *p = pb, *end = pb + N;
#pragma acc serial copy(pb[0:n])
    while (p != end) {
        *p = 2;
        p++;
    }
    check_near("p", 0, p - pb, 0, 0);
    for (int i = 0; i < n; i++)
        check_near("pb", i, pb[i], 2, 0);
}

int main(void)
{
    void (*all[])(void) = {stepped, member_of_local, local_array_of_pointers, chosen, returned,
                             returned_into_implicit, compared, null, counting_by_pointer, difference,
                             structure_copied, array_member, pointer_to_pointer, host_pointers_compared,
                             kept_in_memory, member_into_implicit, structure_by_pointer, own_array, exchanged,
                             by_way_of_integer, to_the_end};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
        set();
        all[k]();
    }
    return finish();
}

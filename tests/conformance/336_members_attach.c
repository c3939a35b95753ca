// A member's section in a data directive attaches the pointer where its structure is present: functions and loops that follow
// the pointer in device memory find the device's copy, and the host's pointer is as it was (OpenACC 3.3 section 2.7.2).
// expect: launches=3
#include "check.h"
#include <stdlib.h>

struct field { int n; double *data; };
struct model { struct field *parts; int count; };

#pragma acc routine seq
__attribute__((noinline)) static double get(const struct field *f, int i) { return f->data[i]; }

int main(void)
{
    int n = 100;
    double out[100], first[2];
    struct field f = {n, malloc(n * sizeof(double))}, *g = &f;
    for (int i = 0; i < n; i++)
        g->data[i] = i;
    double *before = g->data;
#pragma acc enter data copyin(g[0:1])
#pragma acc enter data copyin(g->data[0:n])
#pragma acc parallel loop present(g) copyout(out)
    for (int i = 0; i < n; i++)
        out[i] = get(g, i) + g->n;
#pragma acc exit data delete(g->data[0:n])
#pragma acc exit data copyout(g[0:1])
    for (int i = 0; i < n; i++)
        check_near("out", i, out[i], i + n, 0);
    check_int("the host's pointer", 0, g->data == before, 1);

    struct model m = {malloc(2 * sizeof(struct field)), 2};
    for (int k = 0; k < 2; k++) {
        m.parts[k].n = n;
        m.parts[k].data = malloc(n * sizeof(double));
        for (int i = 0; i < n; i++)
            m.parts[k].data[i] = k * n + i;
    }
#pragma acc data copyin(m) copyin(m.parts[0:2])
    {
        for (int k = 0; k < m.count; k++) {
#pragma acc enter data copyin(m.parts[k].data[0:n])
        }
#pragma acc parallel loop present(m) copyout(first)
        for (int k = 0; k < 2; k++)
            first[k] = get(&m.parts[k], 3);
#pragma acc parallel loop present(m) copyout(out)
        for (int i = 0; i < n; i++)
            out[i] = m.parts[1].data[i] + first[0] * 0;
        for (int k = 0; k < m.count; k++) {
#pragma acc exit data delete(m.parts[k].data[0:n])
        }
    }
    check_near("first", 0, first[0], 3, 0);
    check_near("first", 1, first[1], n + 3, 0);
    for (int i = 0; i < n; i++)
        check_near("second", i, out[i], n + i, 0);
    return finish();
}

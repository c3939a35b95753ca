// A structure with a pointer member: the structure first, then what the member points to, which
// attaches it, so that the device follows the pointer.
// expect: launches=2 uploads>=3 downloads=1
#include <stdlib.h>
#include "check.h"

typedef struct {
    int n;
    float *x, *y;
} pair;

static void axpy(pair *p, float factor)
{
    int n = p->n;
#pragma acc parallel loop present(p[0:1])
    for (int i = 0; i < n; i++)
        p->y[i] += factor * p->x[i];
}

int main(void)
{
    pair v = {150, malloc(150 * sizeof(float)), malloc(150 * sizeof(float))}, *p = &v;
    for (int i = 0; i < v.n; i++) {
        v.x[i] = i;
        v.y[i] = 1.0f;
    }
#pragma acc enter data copyin(p[0:1])
#pragma acc enter data copyin(p->x[0:p->n], p->y[0:p->n])
    axpy(p, 2.0f);
    axpy(p, 0.5f);
#pragma acc exit data delete (p->x[0:p->n]) copyout(p->y[0:p->n])
#pragma acc exit data delete (p[0:1])
    for (int i = 0; i < v.n; i++)
        check_near("y", i, v.y[i], 1.0f + 2.5f * i, 1e-6);
    free(v.x);
    free(v.y);
    return finish();
}

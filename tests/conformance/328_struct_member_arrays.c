// Members of a local structure in data clauses: s.x[0:n] beside s itself, in a structured region.
// expect: launches=1 uploads>=2 downloads>=1
#include <stdlib.h>
#include "check.h"

struct grid {
    double spacing;
    int n;
    double *value;
};

int main(void)
{
    struct grid g = {0.5, 123, malloc(123 * sizeof(double))};
    for (int i = 0; i < g.n; i++)
        g.value[i] = i;
    int n = g.n;
#pragma acc data copyin(g) copy(g.value[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            g.value[i] = g.value[i] * g.spacing + g.n;
    }
    for (int i = 0; i < n; i++)
        check_near("value", i, g.value[i], 0.5 * i + 123, 0.0);
    free(g.value);
    return finish();
}

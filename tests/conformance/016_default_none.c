// default(none): every array named, scalars named, the loop variable needs no clause.
// expect: launches=1 uploads=1 downloads=1
#include "check.h"

#define N 130

int main(void)
{
    double a[N], b[N], factor = 2.25;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop default(none) copyin(a) copyout(b) firstprivate(factor)
    for (int i = 0; i < N; i++)
        b[i] = factor * a[i];
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], 2.25 * i, 0.0);
    return finish();
}

// How directives may be written: continuation lines, blanks, tabs, comments, commas or none between
// clauses, a clause repeated, and no braces around the loop.
// expect: launches=4 uploads=8 downloads=4
#include "check.h"

#define N 70

int main(void)
{
    int a[N], b[N], c[N] = {0};
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
#pragma acc parallel loop \
    copyin(a, b)          \
    copyout(c)
    for (int i = 0; i < N; i++)
        c[i] = a[i] + b[i];

#  pragma   acc	parallel	loop copyin( a[0 : N] ),copyin(b [ 0:N ]) ,  copyout(c)   /* a comment */
    for (int i = 0; i < N; i++)
        c[i] = 2 * a[i] + b[i];

#pragma acc parallel copyin(a) copyin(b) copyout(c) // another
#pragma acc loop
    for (int i = 0; i < N; i++)
        c[i] = 3 * a[i] + b[i];

    if (a[1] == 1)
#pragma acc parallel loop copyin(a, b) copyout(c)
        for (int i = 0; i < N; i++)
            c[i] = 4 * a[i] + b[i];

    for (int i = 0; i < N; i++)
        check_int("c", i, c[i], 6 * i);
    return finish();
}

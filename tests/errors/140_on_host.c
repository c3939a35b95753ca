// command: accl cc -c $FILE -o /dev/null
// expect-exit: 0
#include <stdlib.h>
#pragma acc routine seq
static int number(int most)
{
    return rand() % most;
}
#pragma acc routine seq
static int doubled(int most)
{
    return 2 * number(most);
}
void add(int n, int *x, int *y, int (*f)(int))
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] += number(i);
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] += doubled(i);
#pragma acc parallel loop copy(x[0:n]) copyin(y[0:n])
    for (int i = 0; i < n; i++)
        x[i] += f(y[i]);
}

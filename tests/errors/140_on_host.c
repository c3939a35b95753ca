// command: accl cc -c $FILE -o /dev/null
// expect-exit: 0
#include <stdlib.h>
#pragma acc routine seq
static int number(const char *text)
{
    return atoi(text);
}
#pragma acc routine seq
static int doubled(const char *text)
{
    return 2 * number(text);
}
void add(int n, int *x, int *y, int (*f)(int))
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] += number("1");
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] += doubled("2");
#pragma acc parallel loop copy(x[0:n]) copyin(y[0:n])
    for (int i = 0; i < n; i++)
        x[i] += f(y[i]);
}

// command: accl cc -Werror -c $FILE -o out.o
#include <stdio.h>
void show(int n, const int *x, const char *unit, int width)
{
#pragma acc parallel loop copyin(x[0:n])
    for (int i = 0; i < n; i++) {
        printf("%d %s\n", x[i], unit);
        printf("%*d\n", width, x[i]);
    }
}

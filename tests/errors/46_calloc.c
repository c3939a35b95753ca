// command: accl cc -Werror -c $FILE -o out.o
#include <stdlib.h>
void sums(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        int *part = calloc(4, sizeof(int));
        part[0] = x[i];
        x[i] += part[0];
        free(part);
    }
}

// Calls and statements that compute regions refuse.
#include <stdio.h>
#include <stdlib.h>
int plain(int);
#pragma acc routine seq
int elsewhere(int);
static void host_only(int *a)
{
#pragma acc parallel loop copy(a[0:3])
    for (int i = 0; i < 3; i++)
        a[i] = 0;
}
static int chain(int i) { return plain(i); }

void calls(int n, int *a, double **rows, int (*pointer)(int))
{
    static char text[] = "x";
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++) {
        printf(text, i);
        printf("%*d %n\n", i, i, a);
        fprintf(stderr, "%d", i);
        exit(i);
        a[i] = rand();
        int *p = malloc(3);
        a[i] = plain(i);
        a[i] = elsewhere(i);
        a[i] = chain(i);
        a[i] = pointer(i);
        host_only(a);
#pragma acc atomic
        a[i] = 3 * a[i] + 1;
#pragma acc parallel loop
        for (int j = 0; j < n; j++)
            a[j] = 0;
#pragma acc update self(a[0:n])
        a[i] = *"x";
        rows[i][0] = 3;
        a[i] = ({ int k = 3; k; });
        __asm__("nop");
    }
#pragma acc parallel
    {
        if (n > 3)
            return;
    }
}

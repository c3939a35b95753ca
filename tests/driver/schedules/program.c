#include <stdio.h>

void add(int n, float *restrict to, const float *restrict from)
{
#pragma acc parallel loop copyin(from[0 : n]) copy(to[0 : n])
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

void grid(int n, float *m)
{
#pragma acc parallel loop collapse(2) copy(m[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i * n + j] += j;
}

int main(void)
{
    float a[100], b[100], m[100];
    for (int i = 0; i < 100; i++)
        a[i] = i, b[i] = 1, m[i] = 0;
    add(100, b, a);
    grid(10, m);
    printf("%g %g\n", b[99], m[99]);
}

// What the front end refuses, and how it says so.
union both { int i; float f; };
struct bits { int a : 3; };
long double wide;
void names(int n, double *values, double **matrix)
{
    const int fixed = n;
    struct bits b;
#pragma acc parallel loop copy(valeus[0:n]) private(fixed) reduction(+:values)
    for (int i = 0; i < n; i++)
        values[i] = 0;
#pragma acc data copyin(values)
#pragma acc data copy(matrix[0:n][0:n])
#pragma acc data copy(n[0:3]) copyin(names) if(m > 3)
    ;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        matrix[i][0] = b.a + wide;
#pragma acc parallel reduction(^:values[0:3])
    {}
}

void loops(int n, double *x)
{
    double d;
    int i, j;
#pragma acc parallel loop
    while (n--)
        ;
#pragma acc parallel loop
    for (d = 0; d < n; d++)
        ;
#pragma acc parallel loop
    for (int i = 0; i < n; i *= 2)
        ;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        i++;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        n--;
#pragma acc parallel loop
    for (int i = 0; i > n; i++)
        ;
#pragma acc parallel loop
    for (i = 0, j = 0; i < n; i++)
        ;
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            break;
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            return;
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        for (int j = 0; j < n; j++)
            ;
    }
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            ;
#pragma acc loop
    for (int i = 0; i < n; i++)
        ;
    if (n)
#pragma acc update self(x[0:n])
    n = 2;
#pragma acc parallel loop
}

void jumps(int n, int *a)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++) {
        if (n)
            goto out;
        {
        out:
            a[i] = 0;
        }
    }
}
#pragma acc parallel
#pragma acc routine(nowhere) seq
#pragma acc declare copyin(unknown)

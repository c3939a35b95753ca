/* A variable that loops count with has no value that could be reduced. */
void f(int n, int *a)
{
    int i, j;
#pragma acc parallel loop reduction(+:i)
    for (i = 0; i < n; i++)
        a[i] = 1;
}
void g(int n, int *a)
{
    int i, j;
#pragma acc parallel loop reduction(+:j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
        a[i] = 1;
}
void h(int n, int *a)
{
    int i, j;
#pragma acc parallel loop collapse(2) reduction(max:j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
        a[i] = 1;
}
void k(int n, int *a)
{
    int i, j;
#pragma acc parallel reduction(+:i) copy(a[0:n])
{
#pragma acc loop
    for (i = 0; i < n; i++)
        a[i] = 1;
}
}

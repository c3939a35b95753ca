/* A `teams` construct has to be all that its `target` holds, and cannot stand in another one. */
void f(int n, int *a)
{
#pragma omp target map(tofrom: a[0:n])
    {
        a[0] = 1;
#pragma omp teams distribute parallel for
        for (int i = 1; i < n; i++)
            a[i] = i;
    }
#pragma omp target teams map(tofrom: a[0:n])
    {
#pragma omp teams
        a[0] = 2;
    }
}

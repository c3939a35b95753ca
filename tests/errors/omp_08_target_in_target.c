/* Directives of the host program inside a target construct. */
void f(int n, int *a)
{
#pragma omp target map(tofrom: a[0:n])
    {
#pragma omp target
        a[0] = 1;
#pragma omp target update to(a[0:n])
#pragma omp target data map(to: a[0:n])
        a[1] = 2;
    }
}

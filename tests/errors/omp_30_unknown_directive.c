/* Directives for devices with a letter too few. */
void f(int n, int *a)
{
#pragma omp target team map(a[0:n])
    a[0] = 1;
#pragma omp target updat to(a[0:n])
#pragma omp target teams distribute paralel for map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}

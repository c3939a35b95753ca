/* Constructs that cannot be combined in one directive, or not in this order. */
void f(int n, int *a)
{
#pragma omp target teams parallel for map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target distribute parallel for map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target teams distribute for map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target for map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target enter map(to: a[0:n])
#pragma omp target teams distribute parallel loop map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}

/* Map types that a data directive does not take. */
void f(int n, int *a)
{
#pragma omp target enter data map(from: a[0:n])
#pragma omp target enter data map(release: a[0:n])
#pragma omp target exit data map(to: a[0:n])
#pragma omp target exit data map(alloc: a[0:n])
#pragma omp target map(delete: a[0:n])
    a[0] = 1;
#pragma omp target data map(release: a[0:n])
    a[0] = 1;
}

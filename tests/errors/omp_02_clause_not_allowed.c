/* Clauses that exist, on directives that do not take them. */
void f(int n, int *a)
{
#pragma omp target num_teams(4) map(tofrom: a[0:n])
    a[0] = 1;
#pragma omp target data map(to: a[0:n]) collapse(2)
    a[0] = 1;
#pragma omp target update map(to: a[0:n])
#pragma omp target enter data map(to: a[0:n]) private(n)
#pragma omp target enter data map(to: a[0:n]) use_device_ptr(a)
#pragma omp target teams distribute map(tofrom: a[0:n]) num_threads(3)
    for (int i = 0; i < n; i++)
        a[i] = i;
}

/* Clauses without their parentheses, and with nothing in them. */
void f(int n, int *a)
{
#pragma omp target map
    a[0] = 1;
#pragma omp target map(to:)
    a[0] = 1;
#pragma omp target teams num_teams() map(a[0:n])
    a[0] = 1;
#pragma omp target device map(a[0:n])
    a[0] = 1;
#pragma omp target teams distribute parallel for collapse map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}

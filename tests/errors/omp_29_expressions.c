/* Expressions in clauses that are not finished. */
void f(int n, int *a)
{
#pragma omp target teams num_teams(n +) map(a[0:n])
    a[0] = 1;
#pragma omp target if (n > ) map(a[0:n])
    a[0] = 1;
#pragma omp target device(n map(a[0:n])
    a[0] = 1;
#pragma omp target map(to: 3)
    a[0] = 1;
}

/* Clauses that may stand once. */
void f(int n, int *a)
{
#pragma omp target teams num_teams(2) num_teams(3) map(a[0:n])
    a[0] = 1;
#pragma omp target device(0) device(1) map(a[0:n])
    a[0] = 1;
#pragma omp target if (n) if (target: n > 2) map(a[0:n])
    a[0] = 1;
#pragma omp target teams distribute parallel for collapse(1) collapse(2) map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}

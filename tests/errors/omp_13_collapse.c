/* The number of joined loops, and loops that cannot be joined. */
void f(int n, int m, int *a)
{
#pragma omp target teams distribute parallel for collapse(m) map(a[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i] = j;
#pragma omp target teams distribute parallel for collapse(0) map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for collapse(2) map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for collapse(2) map(a[0:n])
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int j = 0; j < m; j++)
            a[i] += j;
    }
}

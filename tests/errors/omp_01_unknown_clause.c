/* Clauses with a letter too few, of another directive, and of another language. */
void f(int n, int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) schedul(static)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target data mapp(to: a[0:n])
    a[0] = 1;
#pragma omp target teams distribute parallel for copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}

/* `default(none)` and `defaultmap(none)` ask for each variable. */
void f(int n, int *a)
{
    int scale = 3, table[4] = { 1, 2, 3, 4 };
#pragma omp target teams distribute parallel for default(none) map(tofrom: a[0:n]) shared(scale)
    for (int i = 0; i < n; i++)
        a[i] = scale * table[i % 4];
#pragma omp target defaultmap(none) firstprivate(scale)
    a[0] = scale + table[0];
#pragma omp target defaultmap(none: aggregate)
    a[0] = scale + table[1];
}

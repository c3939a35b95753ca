/* Device constructs of OpenMP in a file of OpenACC: told once, with their number. Those for the host are not meant.
 * (The last directive is wrong, so that the compiler has an error to end with.) */
#pragma omp declare target
int twice(int x)
{
    return 2 * x;
}
#pragma omp end declare target

void f(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = twice(a[i]);
#pragma omp target update from(a[0:n])
#pragma acc parallel loop copy(a[0:n])
    while (n > 0)
        n--;
}

/* Ways out of a target construct and of a data region. */
int f(int n, int *a)
{
#pragma omp target map(tofrom: a[0:n])
    {
        if (n < 3)
            return 1;
        a[0] = 1;
    }
#pragma omp target data map(to: a[0:n])
    {
        if (a[0])
            goto out;
    }
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++) {
        if (i == 7)
            break;
        a[i] = i;
    }
out:
    return 0;
}

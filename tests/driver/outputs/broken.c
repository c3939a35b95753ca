int broken(int *a, int n)
{
#pragma acc parallel loop copy(a[0:n]) nonsense
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    return undeclared;
}

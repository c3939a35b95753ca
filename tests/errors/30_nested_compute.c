void twice(int n, int *x)
{
#pragma acc parallel copy(x[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            x[i] = i;
    }
}

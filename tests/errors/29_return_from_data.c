int first(int n, int *x)
{
#pragma acc data copy(x[0:n])
    {
        if (n > 4)
            return x[0];
    }
    return 0;
}

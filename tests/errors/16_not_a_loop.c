void zero(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    x[0] = n;
}

#pragma acc routine seq vector
static int twice(int x)
{
    return 2 * x;
}
void all(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = twice(x[i]);
}

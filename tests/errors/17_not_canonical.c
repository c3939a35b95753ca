void chase(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; x[i] != 0; i++)
        x[i] = 0;
}

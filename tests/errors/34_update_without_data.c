void refresh(int n, int *x)
{
#pragma acc update async(1)
    x[0] = n;
}

// What kernels write may lie outside of the values that were copied in.
void f(double *restrict c, int n)
{
#pragma acc parallel loop ccopy(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] += 1;
}

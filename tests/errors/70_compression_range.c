// What is only created or copied out cannot tell its range; neither can data that kernels write.
void f(float *restrict a, float *restrict b, double *restrict c, int n)
{
#pragma acc data ccopyout(a[0:n]) ccreate(b[0:n])
    {
#pragma acc parallel loop compression(a, b)
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
#pragma acc parallel loop ccopy(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] += 1;
#pragma acc parallel loop ccopyin(c[0:n:5:-5])
    for (int i = 0; i < n; i++)
        a[i] = c[i];
}

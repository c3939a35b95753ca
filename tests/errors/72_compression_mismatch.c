// The data construct and the compute construct must say the same.
void f(float *restrict a, float *restrict b, float *restrict c, int n)
{
#pragma acc data ccopyin(a[0:n]) copyin(b[0:n]) copyout(c[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            c[i] = a[i];
#pragma acc parallel loop compression(a, b)
        for (int i = 0; i < n; i++)
            c[i] = a[i] + b[i];
#pragma acc parallel loop compression(bits(12): a)
        for (int i = 0; i < n; i++)
            c[i] = a[i];
    }
#pragma acc parallel loop compression(b) copyin(b[0:n]) copyout(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = b[i];
}

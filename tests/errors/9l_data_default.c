/* default of a data construct holds for the compute constructs in it that have none. */
void f(int n, float *a, float *b)
{
#pragma acc data copy(a[0:n]) default(none)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] = b[i];
#pragma acc parallel loop default(present)
        for (int i = 0; i < n; i++)
            a[i] += b[i];
    }
#pragma acc parallel loop copyout(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

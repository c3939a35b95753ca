/* A private section of unknown length that gangs use outside of loops, and one of a loop whose iterations the host cannot count. */
void f(int n, float *a, float *z, const int *m)
{
#pragma acc parallel copyout(a[0:n]) private(z[0:n])
    {
        for (int j = 0; j < 4; j++)
            z[j] = j;
#pragma acc loop gang
        for (int i = 0; i < n; i++)
            a[i] = z[i % 4];
    }
#pragma acc parallel loop copyout(a[0:n]) copyin(m[0:n]) private(z[0:n])
    for (int i = 0; i < m[0]; i++) {
        z[m[i]] = i;
        a[i] = z[m[i]];
    }
}

/* Iterations that use one element of a private section cannot share it. */
void f(int n, float *a, float *z, const int *m)
{
#pragma acc parallel loop copyout(a[0:n]) private(z[0:n])
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++)
            z[j] = i + j;
        a[i] = z[0] + z[3];
    }
#pragma acc parallel loop copyout(a[0:n]) copyin(m[0:n]) firstprivate(z[0:n])
    for (int i = 0; i < n; i++)
        a[i] = z[m[i]]++;
}

/* Two sections of one array in a data construct: which of them a construct uses is told by constants or by a clause. */
void f(int n, int m, float *a, float *b)
{
#pragma acc data copy(a[0:n], a[m:n])
    {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] = i;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[m + i / 2] = i;
    }
#pragma acc data copyin(b[0:10]) copyout(b[50:20])
    {
#pragma acc parallel loop
        for (int i = 0; i < 20; i++)
            b[50 + i] = b[i % 10];
    }
}

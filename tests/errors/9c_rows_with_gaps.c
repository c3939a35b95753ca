void f(int n, int m, float (**a)[4], float *t[4][4])
{
#pragma acc update self(a[0:n][0:m][1:2])
#pragma acc enter data copyin(t[0:2][0:2][0:m])
#pragma acc enter data copyin(a[0:n][3:])
#pragma acc host_data use_device(a[0:n][0:m])
    t[0][0][0] = 1;
}

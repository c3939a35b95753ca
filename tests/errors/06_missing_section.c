void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
#pragma acc update device(x)
#pragma acc parallel loop present(x) copy(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

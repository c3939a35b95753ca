void scale(int n, float *a, float by)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = by * a[i] + 1.0f;
}

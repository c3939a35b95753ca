void scale(int n, int m, float **a)
{
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= 2.0f;
}

float sum(int n, float **a)
{
    float all = 0.0f;
#pragma acc parallel loop reduction(+:all) copyin(n)
    for (int i = 1; i < n - 1; i++)
        all += a[i][2] + **a;
    return all;
}

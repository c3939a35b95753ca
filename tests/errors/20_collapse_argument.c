void rows(int n, int k, float (*x)[64])
{
#pragma acc parallel loop collapse(k) copy(x[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 64; j++)
            x[i][j] = 0;
}

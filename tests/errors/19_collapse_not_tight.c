void rows(int n, float (*x)[64])
{
#pragma acc parallel loop collapse(2) copy(x[0:n])
    for (int i = 0; i < n; i++) {
        float first = x[i][0];
        for (int j = 0; j < 64; j++)
            x[i][j] -= first;
    }
}

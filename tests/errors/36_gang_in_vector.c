void nest(int n, float (*x)[64])
{
#pragma acc parallel loop vector copy(x[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc loop gang
        for (int j = 0; j < 64; j++)
            x[i][j] = 0;
    }
}

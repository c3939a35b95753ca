void share(int n, int **x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        int mine = i;
        x[i] = &mine;
    }
}

void count(int n, const int *x, int *bins)
{
#pragma acc parallel loop copyin(x[0:n]) copy(bins[0:16])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        if (x[i] > 0)
            bins[x[i]]++;
    }
}

void spread(int n, const double *a, double *b)
{
#pragma acc parallel loop vector(1024) copyin(a[0:8 * n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[8 * i:0:7])
        b[i] = a[8 * i] + a[8 * i + 7];
    }
}

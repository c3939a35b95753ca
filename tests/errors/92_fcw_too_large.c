void spread(int n, const double *a, double *b)
{
#pragma acc parallel loop vector(1024) copyin(a[0:32 * n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[32 * i:0:31])
        b[i] = a[32 * i] + a[32 * i + 31];
    }
}

void gather(int n, const int *x, const float *a, float *b)
{
#pragma acc parallel loop vector(128) copyin(x[0:n], a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
        int at = x[i];
#pragma acc fcw FETCH_ONLY(a[at:0:0])
        b[i] = a[at];
    }
}

void copy(int n, int lanes, const float *a, float *b)
{
#pragma acc parallel loop vector_length(lanes) copyin(a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:0:0])
        b[i] = a[i];
    }
}

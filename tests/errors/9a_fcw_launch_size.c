/* The size of a window is the same for all of a launch, and the host knows it before. */
void add(int n, int k, const int *lengths, float *a, const float *b)
{
    int r = k;
#pragma acc parallel loop vector(128) copy(a[0:n]) copyin(b[0:n], lengths[0:n]) firstprivate(r)
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(b[i:0:i % k])
        a[i] += b[i];
    }
#pragma acc parallel loop vector(128) copy(a[0:n]) copyin(b[0:n], lengths[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(b[i:lengths[0]:0])
        a[i] += b[i];
    }
#pragma acc parallel loop vector(128) copy(a[0:n]) copyin(b[0:n]) firstprivate(r)
    for (int i = 0; i < n; i++) {
        r = r / 2;
#pragma acc fcw FETCH_ONLY(b[i:0:r])
        a[i] += b[i];
    }
#pragma acc parallel loop vector(128) copy(a[0:n]) copyin(b[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_WB(a[i:k:0]) FETCH_ONLY(b[i:0:0])
        a[i] += b[i];
    }
}
void spread(int n, int r, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop vector(1024) copyin(a[0:n]) copyout(b[0:8 * n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:0:r]) CHANNEL_WB(b[8 * i:0:7])
        b[8 * i] = a[i] + (i + r < n ? a[i + r] : 0);
    }
}

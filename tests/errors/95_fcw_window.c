void add(int n, float k, float *a, float b[n][n])
{
#pragma acc parallel loop vector(128) copy(a[0:n]) copyin(b[0:n][0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_WB(a[i:k:0])
        a[i] += 1.0f;
#pragma acc fcw FETCH_ONLY(b[i:0:0])
        a[i] += b[i][0];
    }
}

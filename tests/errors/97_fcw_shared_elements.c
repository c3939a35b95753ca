void smooth(int n, float *a)
{
#pragma acc parallel loop vector(128) copy(a[0:n])
    for (int i = 1; i < n; i++) {
#pragma acc fcw FETCH_WB(a[i:1:0])
        a[i] += a[i - 1];
    }
}

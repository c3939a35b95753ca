void sums(int n, float *a)
{
#pragma acc parallel loop vector(128) copy(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(a[i:0:0])
        for (int k = 0; k < i % 7; k++)
            a[i] += 1.0f;
    }
}

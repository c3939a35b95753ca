static void twice(float *x)
{
    *x *= 2.0f;
}

void scale(int n, float *a)
{
#pragma acc parallel loop vector(128) copy(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(a[i:1:0])
        {
            twice(&a[i]);
            a[i] += 1.0f;
        }
    }
}

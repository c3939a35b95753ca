void add(int n, float *a)
{
#pragma acc parallel loop vector(128) copy(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:0:0])
        a[i] += 1.0f;
    }
}

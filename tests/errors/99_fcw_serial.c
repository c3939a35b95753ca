void serial(int n, float *a)
{
#pragma acc serial copy(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_WB(a[i:0:0])
        a[i] *= 0.5f;
    }
}

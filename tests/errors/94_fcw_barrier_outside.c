void half(int n, float *a)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw_barrier
        a[i] *= 0.5f;
    }
}

double total(int n, const float *a)
{
    double sum = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

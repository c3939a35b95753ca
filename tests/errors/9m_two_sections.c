/* Two sections of one compressed array: each is compressed by itself, and a construct that uses both has one name for them. */
void f(int n, int m, float *a)
{
#pragma acc data ccopy(a[0:n:0:1], a[m:n:0:1])
    {
#pragma acc parallel loop present(a[0:n]) compression(a)
        for (int i = 0; i < n; i++)
            a[i] = i;
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n; i++)
            a[m + i / 2] = i;
    }
}

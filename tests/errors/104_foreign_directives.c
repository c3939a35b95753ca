/* A word far from every directive is another compiler's, and mentioned once; what is nearly one, or has one's words in
   it, is a mistake. */
void f(int n, int *a)
{
#pragma acc resilience num_faults(1)
#pragma acc resilience num_faults(2)
#pragma acc parallel loop copy(a[0:n]) gang[1]
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc data copy(a[0:n])
    {
#pragma acc loop
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
#pragma acc end data
#pragma acc wait_all
#pragma acc paralel
#pragma acc copyin(a[0:n])
#pragma acc parallel loop gng
    for (int i = 0; i < n; i++)
        a[i] = i;
}

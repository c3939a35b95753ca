/* Two parts of one array, for which the construct has one name. */
void f(int n, int *a)
{
#pragma omp target map(tofrom: a[0:n]) map(from: a[2 * n:n])
    a[0] = 1;
#pragma omp target firstprivate(n) private(n) map(a[0:1])
    a[0] = n;
}

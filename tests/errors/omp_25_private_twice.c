/* A variable that would be private in two ways. */
void f(int n, int *a)
{
#pragma omp target firstprivate(n) private(n) map(a[0:1])
    a[0] = n;
}

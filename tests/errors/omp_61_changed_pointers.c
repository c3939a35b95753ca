/* The value of a pointer that a construct changes does not come back. */
void f(int n, double *a)
{
    double *p = 0;
#pragma omp target map(from: p) map(a[0:n])
    p = a + 1;
    a = p;
}

/* A pointer that is mapped for itself, with what it points to, and changed. */
void f(int n, double *p)
{
#pragma omp target map(tofrom: p) map(p[0:n])
    p++;
}

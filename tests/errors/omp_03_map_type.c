/* What stands before the colon of `map` and of `defaultmap`. */
void f(int n, int *a)
{
#pragma omp target map(inout: a[0:n])
    a[0] = 1;
#pragma omp target map(allways, to: a[0:n])
    a[0] = 1;
#pragma omp target defaultmap(copy: scalar) map(a[0:n])
    a[0] = n;
#pragma omp target defaultmap(tofrom: scalars) map(a[0:n])
    a[0] = n;
}

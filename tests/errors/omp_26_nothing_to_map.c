/* Data directives without data. */
void f(int n, int *a)
{
#pragma omp target data
    a[0] = 1;
#pragma omp target enter data
#pragma omp target exit data device(0)
#pragma omp target update
#pragma omp target update if (n)
}

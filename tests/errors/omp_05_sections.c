/* Sections with a missing length, too long, with a hole in their brackets, strided. */
static int fixed[10];

void f(int n, int *a)
{
#pragma omp target map(to: a[0:])
    a[0] = 1;
#pragma omp target map(to: fixed[4:8])
    fixed[5] = 1;
#pragma omp target map(to: a[0:n)
    a[0] = 1;
#pragma omp target map(to: fixed[0:5:2])
    fixed[2] = 1;
#pragma omp target map(to: n[0:2])
    n = 1;
#pragma omp target map(to: fixed[0:-2])
    fixed[2] = 1;
#pragma omp target update to(a)
}

/* Declared for devices: variables of the file, and functions; no others. */
static int global;

void f(int n, int *a)
{
    static int calls;
    int local = 0;
#pragma omp declare target to(local)
#pragma omp target map(tofrom: a[0:n])
    a[0] = local + calls;
}

#pragma omp declare target to(globl)
#pragma omp declare target to(global) too(f)
#pragma omp declare target indirect to(f)
#pragma omp declare target enter(global

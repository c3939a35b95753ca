// command: accl cc -fopenmp -Werror -c $FILE -o out.o
/* A device does not have the host run code in between: the host runs the whole construct, unless warnings are errors. */
#pragma omp requires reverse_offload

void f(int n, int *a)
{
#pragma omp target map(tofrom: a[0:n])
    {
#pragma omp target device(ancestor: 1)
        a[0] = 1;
    }
}

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
void series(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = fib(i);
}

// command: accl cc -Werror -c $FILE -o out.o
int memo[40];
#pragma acc routine vector
static int fib(int n)
{
    if (memo[n] == 0)
        memo[n] = n < 2 ? n : fib(n - 1) + fib(n - 2);
    return memo[n];
}
void series(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = fib(i);
}

/* bind to a function that is not there; declare outside functions with a modifier. */
static int a[10];
#pragma acc declare create(zero : a)
#pragma acc routine seq bind(elsewhere)
int f(int i);

void g(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = f(i) + a[i % 10];
}

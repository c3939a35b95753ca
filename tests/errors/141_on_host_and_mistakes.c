/* With a mistake of the user's the limits of the compiler are errors, too; so they are where the host cannot run the construct. */
void add(int n, int *x, int (*f)(int))
{
    int *p = x;
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = f(i);
#pragma acc parallel loop copy(z[0:n])
    for (int i = 0; i < n; i++)
        x[i] = i;
}

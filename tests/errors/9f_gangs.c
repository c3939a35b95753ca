/* Gangs dealt in chunks of a size, gangs of dimensions that no loop has, dimensions that are no constants. */
void f(int n, float *a, float *b, int d)
{
#pragma acc parallel copy(a[0:n], b[0:n]) num_gangs(4, 2)
    {
        float mine = 0, sum = 0;
#pragma acc loop gang(static : 16) reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            a[i] = i;
            mine += i;
            sum += i;
        }
        a[0] = mine;
    }
#pragma acc parallel loop gang(dim : d) copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop gang(static : 4) copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}

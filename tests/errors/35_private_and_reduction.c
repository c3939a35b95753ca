int sum(int n, const int *x)
{
    int s = 0;
#pragma acc parallel loop private(s) reduction(+ : s) copyin(x[0:n])
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

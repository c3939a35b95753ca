int sum(int n, const int *x)
{
    int s[4] = {0, 0, 0, 0};
#pragma acc parallel loop reduction(+ : s) copyin(x[0:n])
    for (int i = 0; i < n; i++)
        s[i % 4] += x[i];
    return s[0];
}

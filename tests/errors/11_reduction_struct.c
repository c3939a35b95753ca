struct pair { int a, b; };
int sum(int n, const int *x)
{
    struct pair s = {0, 0};
#pragma acc parallel loop reduction(+ : s) copyin(x[0:n])
    for (int i = 0; i < n; i++)
        s.a += x[i];
    return s.a;
}

// Functions that device code of another file cannot call.
void add_to_all(int *p, int n, int value)
{
    for (int i = 0; i < n; i++)
        p[i] += value;
}

int twice(int x)
{
    return 2 * x;
}

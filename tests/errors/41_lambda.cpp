void all(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        auto twice = [](int v) { return 2 * v; };
        x[i] = twice(x[i]);
    }
}

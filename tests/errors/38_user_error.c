// lines: error:
void broken(int n, int *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = undeclared + 1;
}

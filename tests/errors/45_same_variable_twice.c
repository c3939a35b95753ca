/* Clauses of which only one can hold; copyin and copyout one after the other are a warning. */
void saxpy(int n, float a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop copyin(x[0:n]) copyin(y[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

void contradictions(int n, float a, float *x)
{
#pragma acc parallel loop copyin(x) deviceptr(x)
    for (int i = 0; i < n; i++)
        x[i] = a;
#pragma acc parallel loop copy(a) firstprivate(a) copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = a;
}

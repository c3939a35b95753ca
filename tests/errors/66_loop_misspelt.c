/* A word of the directive's name, not quite. */
void scale(int n, float *x)
{
#pragma acc parallel lop copy(x[:n])
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

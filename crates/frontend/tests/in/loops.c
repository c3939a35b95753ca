// The forms of a canonical loop.
void f(int n, long m, unsigned k, double *x)
{
#pragma acc parallel copy(x[0:n])
    {
        int i;
#pragma acc loop
        for (i = n - 1; i >= 0; i--)
            x[i] = 1;
#pragma acc loop gang worker vector
        for (int i = 0; n > i; i += 2)
            x[i] = 2;
#pragma acc loop gang(static : 1) vector(32)
        for (long i = 0; i <= m; i = i + 3)
            x[i] = 3;
#pragma acc loop tile(4, *)
        for (unsigned i = k; i > 0; --i)
            for (int j = 0; j != n; j++)
                x[i + j] = 4;
#pragma acc loop independent collapse(2)
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < k; j++) {
                x[i * n + j] = 5;
            }
        }
#pragma acc loop seq
        for (int i = 0; i < n; i++)
            if (x[i] > 0)
                break;
#pragma acc loop auto
        for (int i = 0; i < n; i += n / 2)
            x[i] = 6;
    }
}

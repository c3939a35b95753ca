/* Extents of variable-length arrays that are others where the array is used. */
void shadowed(int n, int m, double A[n][m], double *B)
{
    for (int m = 2; m < 3; m++) {
#pragma acc parallel loop copyin(A[0:n]) copy(B[0:n])
        for (int i = 0; i < n; i++)
            B[i] = A[i][m];
    }
}

void changed(int n, int m, double A[n][m], double *B)
{
    m = 2;
#pragma acc parallel loop present(A) copy(B[0:n])
    for (int i = 0; i < n; i++)
        B[i] = A[i][m];
}

void local(int n, int m, double *B)
{
    double A[n][m];
    m = 2;
#pragma acc parallel loop copyin(A) copy(B[0:n])
    for (int i = 0; i < n; i++)
        B[i] = A[i][m];
}

/* What is done before the array is declared does not matter. */
void before(int n, int m, double *B)
{
    m *= 2;
    double A[n][m];
#pragma acc parallel loop copyout(A) copyin(B[0:n])
    for (int i = 0; i < n; i++)
        A[i][m - 1] = B[i];
}

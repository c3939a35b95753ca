/* The first extent is in the type of none of these, and where the second means something else at the directive. */
void unknown(int n, double A[][8], double B[n])
{
#pragma acc parallel loop copy(A)
    for (int i = 0; i < n; i++)
        A[i][0] = 1;
    n /= 2;
#pragma acc parallel loop copy(B)
    for (int i = 0; i < n; i++)
        B[i] = 1;
}

void shadowed(int n, double A[n], double B[10])
{
    B++;
    for (int n = 0; n < 3; n++) {
#pragma acc parallel loop copy(A) copy(B)
        for (int i = 0; i < 3; i++)
            A[i] = B[i] = 1;
    }
}

// command: accl cc -c $FILE -o /dev/null
// expect-exit: 0
double A[64][64], x[64], y[64], s[64], total;

void f(int n)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
#pragma acc loop
        for (int j = 0; j < n; j++)
            y[i] = y[i] + A[i][j] * x[j];
    }
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[j] = 0.5 * s[j] + A[i][j];
#pragma acc parallel loop
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] + 1;
#pragma acc parallel loop independent
    for (int i = 0; i < n; i++)
        s[0] += x[i];
    /* These may be independent. */
#pragma acc parallel loop
    for (int i = 1; i < n; i++)
        if (A[i][0] > 0)
            x[i] = x[i - 1] + 1;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        y[(int)x[i]] += 1;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        s[0] = 1;
}

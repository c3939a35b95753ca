// command: accl cc -fopenmp -c $FILE -o /dev/null
// expect-exit: 1
/* What a directive before `tile` cannot join. */

void joined(double *a, int n)
{
    int i;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(i) map(tofrom : a[:n])
#pragma omp tile sizes(4)
    for (i = 0; i < n; i++)
        a[i] += i;
}

void dependent(double *a, int n)
{
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : a[:n])
#pragma omp tile sizes(4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i] += j;
}

void no_loop(double *a, int n)
{
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : a[:n])
#pragma omp tile sizes(4)
    for (int i = 0; i < n; i++)
        a[i] += i;
}

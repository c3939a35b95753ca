/* What stands between joined loops and cannot be run in each iteration of the inner one. */
float next(void);
extern float state;

void f(int n, int m, float *sums, float *x, int *counts)
{
#pragma acc parallel loop collapse(force : 2) copyout(sums[0:n]) copyin(x[0:n * m])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += x[i * m + j];
        sums[i] = sum;
    }
#pragma acc parallel loop collapse(force : 2) copy(counts[0:n], x[0:n * m])
    for (int i = 0; i < n; i++) {
        counts[i]++;
        for (int j = 0; j < m; j++)
            x[i * m + j] = i;
    }
#pragma acc parallel loop collapse(force : 2) copy(x[0:n * m])
    for (int i = 0; i < n; i++) {
        int end = i + 1;
        for (int j = 0; j < end; j++)
            x[i * m + j] = i;
    }
#pragma acc parallel loop collapse(force : 2) copy(x[0:n * m])
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            x[i * m + j] = i;
        for (int j = 0; j < m; j++)
            x[i * m + j] += i;
    }
}

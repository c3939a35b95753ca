// Mean and variance of each row: the second vector loop of a gang needs the first one's result.
// expect: launches=1 uploads=1 downloads=2
#include "check.h"

#define N 33
#define M 270

static double a[N][M];

int main(void)
{
    double means[N], variances[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 41 + j * j) % 53;
#pragma acc parallel loop gang copyin(a) copyout(means, variances)
    for (int i = 0; i < N; i++) {
        double mean = 0.0, variance = 0.0;
#pragma acc loop vector reduction(+ : mean)
        for (int j = 0; j < M; j++)
            mean += a[i][j];
        mean /= M;
#pragma acc loop vector reduction(+ : variance)
        for (int j = 0; j < M; j++) {
            double d = a[i][j] - mean;
            variance += d * d;
        }
        means[i] = mean;
        variances[i] = variance / (M - 1);
    }
    for (int i = 0; i < N; i++) {
        double mean = 0.0, variance = 0.0;
        for (int j = 0; j < M; j++)
            mean += a[i][j] / M;
        for (int j = 0; j < M; j++)
            variance += (a[i][j] - mean) * (a[i][j] - mean) / (M - 1);
        check_near("means", i, means[i], mean, 1e-12);
        check_near("variances", i, variances[i], variance, 1e-12);
    }
    return finish();
}

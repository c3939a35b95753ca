// A reduction clause on a seq loop and on an inner loop the compiler places itself; dot products.
// expect: launches=2 uploads=4 downloads=2
#include "check.h"

#define N 72
#define M 41

static float a[N][M], x[M];

int main(void)
{
    float y[N], z[N];
    for (int j = 0; j < M; j++) {
        x[j] = 0.5f * j;
        for (int i = 0; i < N; i++)
            a[i][j] = (i + j) % 5;
    }
#pragma acc parallel loop gang vector copyin(a, x) copyout(y)
    for (int i = 0; i < N; i++) {
        float sum = 0.0f;
#pragma acc loop seq reduction(+ : sum)
        for (int j = 0; j < M; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
#pragma acc parallel loop copyin(a, x) copyout(z)
    for (int i = 0; i < N; i++) {
        float sum = 0.0f;
#pragma acc loop reduction(+ : sum)
        for (int j = 0; j < M; j++)
            sum += a[i][j] * x[j];
        z[i] = sum;
    }
    for (int i = 0; i < N; i++) {
        float sum = 0.0f;
        for (int j = 0; j < M; j++)
            sum += a[i][j] * x[j];
        check_near("y", i, y[i], sum, 1e-5);
        check_near("z", i, z[i], sum, 1e-5);
    }
    return finish();
}

// Two loops of a nest in a kernels construct with the same levels, as programs for OpenACC 1.0 have them: the launch gets two
// dimensions, with a warning. A global table that declare puts on the device is used in both.
// expect: launches=2
// flags: -w
#include "check.h"

#define N 60
#define M 70

static double a[N][M], b[N][M], row[M];
#pragma acc declare create(row)

int main(void)
{
    for (int j = 0; j < M; j++)
        row[j] = j;
#pragma acc update device(row)
#pragma acc data copyout(a, b)
    {
#pragma acc kernels
        {
#pragma acc loop gang, vector(4) independent
            for (int i = 0; i < N; i++) {
#pragma acc loop gang, vector(32) independent
                for (int j = 0; j < M; j++)
                    a[i][j] = i * 100 + row[j];
            }
#pragma acc loop gang
            for (int i = 0; i < N; i++) {
#pragma acc loop gang vector
                for (int j = 0; j < M; j++)
                    b[i][j] = 2 * a[i][j];
            }
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            check_near("a", i * M + j, a[i][j], i * 100 + j, 0);
            check_near("b", i * M + j, b[i][j], 2 * (i * 100 + j), 0);
        }
    return finish();
}

// fcw in two dimensions, windows that move with a sequential loop (paper 004, listing 9).
// expect: launches=1 uploads=2 downloads=1
#include "check.h"

#define N 50
#define T 16

static float a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 3 + j * 5) % 7;
            b[i][j] = (i * 2 + j) % 5 - 1;
        }
#pragma acc kernels copyin(a, b) copyout(c)
#pragma acc loop independent vector(T)
    for (int i = 0; i < N; i++)
#pragma acc loop independent vector(T)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int l = 0; l < N; l += T) {
                int fi = (i & (T - 1)) + l;
                int fj = (j & (T - 1)) + l;
#pragma acc fcw FETCH_ONLY(a[i:0:0:fj:0:0], b[fi:0:0][j:0:0])
                for (int m = l; m < (l + T < N ? l + T : N); m++)
                    sum += a[i][m] * b[m][j];
            }
            c[i][j] = sum;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float want = 0;
            for (int m = 0; m < N; m++)
                want += a[i][m] * b[m][j];
            check_near("c", i * N + j, c[i][j], want, 1e-6);
        }
    return finish();
}

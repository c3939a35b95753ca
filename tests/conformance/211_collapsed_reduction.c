// Reductions over collapsed loops, one of them with the reduction also used as a maximum norm.
// expect: launches=2 uploads>=2
#include "check.h"

#define N 47
#define M 59

static float a[N][M], b[N][M];

int main(void)
{
    float norm = 0.0f;
    int same = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = (i * 11 + j) % 19;
            b[i][j] = (i + j * 11) % 19;
        }
#pragma acc parallel loop collapse(2) reduction(max : norm) copyin(a, b)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) {
            float difference = fabsf(a[i][j] - b[i][j]);
            norm = fmaxf(norm, difference);
        }
#pragma acc parallel loop collapse(2) reduction(+ : same) copyin(a, b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            if (a[i][j] == b[i][j])
                same++;
    float want_norm = 0.0f;
    int want_same = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            if (i > 0 && i < N - 1 && j > 0 && j < M - 1)
                want_norm = fmaxf(want_norm, fabsf(a[i][j] - b[i][j]));
            want_same += a[i][j] == b[i][j];
        }
    check_near("norm", 0, norm, want_norm, 0.0);
    check_int("same", 0, same, want_same);
    return finish();
}

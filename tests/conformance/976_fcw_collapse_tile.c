// Windows under collapse, whose vector is the innermost loop's, and under tile, with reductions.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"
#include <stdlib.h>

int main(void)
{
    int n = 67, m = 131;
    float(*a)[m] = malloc(sizeof(float[n][m])), (*b)[m] = malloc(sizeof(float[n][m]));
    float sum = 0.0f, tiled = 0.0f, want = 0.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = (i * 7 + j * 3) % 11;
#pragma acc parallel loop collapse(2) vector(64) copyin(a[0:n][0:m]) copyout(b[0:n][0:m]) reduction(+:sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
#pragma acc fcw FETCH_ONLY(a[i:0:0:j:1:1])
            {
                float left = j > 0 ? a[i][j - 1] : 0.0f, right = j < m - 1 ? a[i][j + 1] : 0.0f;
                b[i][j] = left + a[i][j] + right;
                sum += b[i][j];
            }
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float here = (j > 0 ? a[i][j - 1] : 0.0f) + a[i][j] + (j < m - 1 ? a[i][j + 1] : 0.0f);
            check_near("collapse", i * m + j, b[i][j], here, 0.0);
            want += here;
        }
    check_near("sum", 0, sum, want, 0.0);
#pragma acc parallel loop tile(4, 16) copyin(a[0:n][0:m]) copyout(b[0:n][0:m]) reduction(+:tiled)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1:j:0:0])
            {
                float up = i > 0 ? a[i - 1][j] : 0.0f, down = i < n - 1 ? a[i + 1][j] : 0.0f;
                b[i][j] = up - down;
                tiled += b[i][j];
            }
        }
    want = 0.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float here = (i > 0 ? a[i - 1][j] : 0.0f) - (i < n - 1 ? a[i + 1][j] : 0.0f);
            check_near("tile", i * m + j, b[i][j], here, 0.0);
            want += here;
        }
    check_near("tiled", 0, tiled, want, 0.0);
    free(a);
    free(b);
    return finish();
}

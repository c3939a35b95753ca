// collapse(force: n): what stands between the loops is run in each iteration of the innermost one.
// expect: launches=3 uploads=2 downloads=4
#include "check.h"

#define N 41
#define M 29

static float table[N], out[N][M], sums[N][M];
static int cube[4][5][6];

int main(void)
{
    for (int i = 0; i < N; i++)
        table[i] = 0.5f * i;
#pragma acc parallel loop collapse(force : 2) copyin(table) copyout(out)
    for (int i = 0; i < N; i++) {
        float scale = table[i];
        int odd = i % 2;
        if (odd)
            scale = -scale;
        for (int j = 0; j < M; j++)
            out[i][j] = scale * j;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("out", i * M + j, out[i][j], (i % 2 ? -0.5f : 0.5f) * i * j, 1e-6);

#pragma acc parallel loop collapse(force : 3) copyout(cube)
    for (int i = 0; i < 4; i++) {
        int far = 100 * i;
        for (int j = 0; j < 5; j++) {
            int near = far + 10 * j;
            for (int k = 0; k < 6; k++)
                cube[i][j][k] = near + k;
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                check_int("cube", 30 * i + 6 * j + k, cube[i][j][k], 100 * i + 10 * j + k);

    /* A variable from outside, and elements that the inner loop only reads. */
    int row[N];
    int last;
#pragma acc parallel loop collapse(force : 2) private(last) copyin(table) copyout(row, sums)
    for (int i = 0; i < N; i++) {
        last = i + 1;
        row[i] = 2 * i;
        for (int j = 0; j < M; j++)
            sums[i][j] = table[i] + last;
    }
    for (int i = 0; i < N; i++) {
        check_int("row", i, row[i], 2 * i);
        for (int j = 0; j < M; j++)
            check_near("sums", i * M + j, sums[i][j], 1.5f * i + 1, 1e-6);
    }
    return finish();
}

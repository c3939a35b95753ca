// Sequential code in kernels that the host cannot run, because it reads arrays: one gang runs all of it. The result
// is the same.
// expect: launches=2
#include "check.h"

#define N 24

int main(void)
{
    int starts[N + 1], sums[N], rows[N][N], total = 0;
    for (int i = 0; i <= N; i++)
        starts[i] = i / 2;
    for (int i = 0; i < N; i++) {
        sums[i] = 0;
        for (int j = 0; j < N; j++)
            rows[i][j] = i + j;
    }
#pragma acc kernels copyin(starts) copy(sums, rows)
    {
        for (int i = 1; i < N; i++) {
            if (starts[i] != starts[i - 1]) {
#pragma acc loop independent
                for (int j = 0; j < N; j++)
                    rows[i][j] += rows[i - 1][j];
            }
        }
    }
    // The user put `total` on the device.
#pragma acc kernels copy(total, sums)
    for (int i = 0; i < N; i++) {
        if (total < 100) {
#pragma acc loop independent
            for (int j = 0; j < N; j++)
                sums[j] += i;
        }
        total = total + i;
    }
    int want = 0, want_sum = 0;
    for (int i = 0; i < N; i++) {
        if (want < 100)
            want_sum += i;
        want += i;
    }
    check_int("total", 0, total, want);
    for (int j = 0; j < N; j++)
        check_int("sums", j, sums[j], want_sum);
    int grid[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            grid[i][j] = i + j + (i > 0 && starts[i] != starts[i - 1] ? grid[i - 1][j] : 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_int("rows", i * N + j, rows[i][j], grid[i][j]);
    return finish();
}

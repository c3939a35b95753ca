// One variable reduced at gang and at vector level; and a gang reduction of values that are
// themselves vector reductions.
// expect: launches=2 uploads>=2
#include "check.h"

#define N 61
#define M 333

static double a[N][M];

int main(void)
{
    double total = 0.25, largest_row = -1.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 5 + j * 3) % 23;
#pragma acc parallel loop gang reduction(+ : total) copyin(a)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector reduction(+ : total)
        for (int j = 0; j < M; j++)
            total += a[i][j];
    }
#pragma acc parallel loop gang reduction(max : largest_row) copyin(a)
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < M; j++)
            sum += a[i][j];
        largest_row = fmax(largest_row, sum);
    }
    double want = 0.25, want_row = -1.0;
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < M; j++)
            sum += a[i][j];
        want += sum;
        want_row = fmax(want_row, sum);
    }
    check_near("total", 0, total, want, 1e-14);
    check_near("largest_row", 0, largest_row, want_row, 1e-14);
    return finish();
}

// Reductions at worker level, at worker and vector level on one loop, and on two nested ones.
// expect: launches=3 uploads=3 downloads=3
#include "check.h"

#define N 21
#define M 130
#define K 9

static int a[N][M], cube[N][K][M];

int main(void)
{
    int sums[N], peaks[N], totals[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = (i * 31 + j * 7) % 97;
            for (int k = 0; k < K; k++)
                cube[i][k][j] = (i + 2 * k + 3 * j) % 41;
        }
#pragma acc parallel loop gang num_workers(4) copyin(a) copyout(sums)
    for (int i = 0; i < N; i++) {
        int sum = i;
#pragma acc loop worker reduction(+ : sum)
        for (int j = 0; j < M; j++)
            sum += a[i][j];
        sums[i] = sum;
    }
#pragma acc parallel loop gang num_workers(2) vector_length(32) copyin(a) copyout(peaks)
    for (int i = 0; i < N; i++) {
        int peak = -1;
#pragma acc loop worker vector reduction(max : peak)
        for (int j = 0; j < M; j++)
            peak = a[i][j] > peak ? a[i][j] : peak;
        peaks[i] = peak;
    }
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(cube) copyout(totals)
    for (int i = 0; i < N; i++) {
        int total = 1;
#pragma acc loop worker reduction(+ : total)
        for (int k = 0; k < K; k++) {
#pragma acc loop vector reduction(+ : total)
            for (int j = 0; j < M; j++)
                total += cube[i][k][j];
        }
        totals[i] = total;
    }
    for (int i = 0; i < N; i++) {
        int sum = i, peak = -1, total = 1;
        for (int j = 0; j < M; j++) {
            sum += a[i][j];
            peak = a[i][j] > peak ? a[i][j] : peak;
            for (int k = 0; k < K; k++)
                total += cube[i][k][j];
        }
        check_int("sums", i, sums[i], sum);
        check_int("peaks", i, peaks[i], peak);
        check_int("totals", i, totals[i], total);
    }
    return finish();
}

// ++ and -- inside expressions: a[i++], *p++, prefix and postfix, on array elements.
// expect: launches=1 uploads=1 downloads=2
#include "check.h"

#define N 120
#define M 6

int main(void)
{
    static int in[N][M], out[N][2 * M];
    int sums[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            in[i][j] = i * 10 + j;
#pragma acc parallel loop copyin(in) copyout(out, sums)
    for (int i = 0; i < N; i++) {
        int k = 0, sum = 0;
        for (int j = 0; j < M; j++) {
            out[i][k++] = in[i][j];
            out[i][k++] = -in[i][j];
        }
        const int *p = in[i];
        while (p < in[i] + M)
            sum += *p++;
        int last = --k;
        out[i][last]++;
        out[i][--last] += k--;
        sums[i] = sum * 1000 + last * 100 + k;
    }
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int j = 0; j < M; j++) {
            sum += in[i][j];
            check_int("out", i * M + j, out[i][2 * j], in[i][j] + (j == M - 1 ? 11 : 0));
            check_int("out", i * M + j, out[i][2 * j + 1], -in[i][j] + (j == M - 1));
        }
        check_int("sums", i, sums[i], sum * 1000 + 1010);
    }
    return finish();
}

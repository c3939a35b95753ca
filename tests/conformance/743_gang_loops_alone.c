// Three gang loops in one construct, of which later ones use what others write across gangs, and one reduces: each is launched
// by itself, and sums and the maximum are on the host afterwards.
// devices: cpu opencl cuda
// expect: launches=3
#include "check.h"

#define N 50

static double a[N][N], b[N][N];
static int cnt[N];

int main(void)
{
    double t, best = -1;
    int k, hits = 5;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * 3 % 7 + j;
#pragma acc parallel copy(a, b, cnt)
    {
#pragma acc loop
        for (int i = 0; i < N; i++)
#pragma acc loop
            for (int j = 0; j < N; j++) {
                t = a[i][j];
                b[i][j] = t * t;
            }
#pragma acc loop reduction(max:best) reduction(+:hits)
        for (int i = 0; i < N; i++) {
            cnt[i] = 0;
            for (k = 0; k < N; k++)
                if (b[i][k] > 100) {
                    cnt[i]++;
                    hits++;
                }
            best = best > b[i][3] ? best : b[i][3];
        }
#pragma acc loop
        for (int i = 0; i < N; i++)
#pragma acc loop
            for (int j = 0; j < N; j++) a[j][i] = b[j][i] + cnt[j];
    }
    double most = -1;
    int all = 5;
    for (int i = 0; i < N; i++) {
        int own = 0;
        for (int j = 0; j < N; j++)
            own += (i * 3 % 7 + j) * (i * 3 % 7 + j) > 100;
        for (int j = 0; j < N; j++) {
            const double first = i * 3 % 7 + j;
            check_near("b", i * N + j, b[i][j], first * first, 0);
            check_near("a", i * N + j, a[i][j], first * first + own, 0);
        }
        all += own;
        most = b[i][3] > most ? b[i][3] : most;
    }
    check_int("hits", 0, hits, all);
    check_near("best", 0, best, most, 0);
    return finish();
}

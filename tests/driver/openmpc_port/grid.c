/* Sweeps over a grid, with a change that is reduced. */
#include <math.h>
#include <stdio.h>

#define N 96

static double now[N][N], next[N][N];

int main(void)
{
    double change = 1;
    int sweeps = 0;
    for (int i = 0; i < N; i++)
        now[i][0] = next[i][0] = 1;
    while (change > 1e-3) {
        change = 0;
#pragma omp parallel
        {
#pragma omp for reduction(max : change)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++) {
                    next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
                    change = fmax(change, fabs(next[i][j] - now[i][j]));
                }
#pragma omp for
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    now[i][j] = next[i][j];
        }
        sweeps++;
    }
    printf("%d %.6f\n", sweeps, now[N / 2][N / 4]);
    return 0;
}

// fcw on arrays of variable extents, loops with a statement between them, a reduction beside it.
// expect: launches=1
#include <stdlib.h>
#include "check.h"

static double relax(int n, int m, double t[n][m], double r[n][m])
{
    double worst = 0;
#pragma acc parallel loop vector(8) reduction(max:worst) copyin(t[:n][:m]) copy(r[:n][:m])
    for (int i = 0; i < n; i++) {
        int up = i > 0 ? i - 1 : 0, down = i < n - 1 ? i + 1 : n - 1;
#pragma acc loop vector(32)
        for (int j = 0; j < m; j++) {
            int left = j > 0 ? j - 1 : 0, right = j < m - 1 ? j + 1 : m - 1;
#pragma acc fcw FETCH_ONLY(t[i:1:1:j:1:1])
            {
                double v = 0.25 * (t[up][j] + t[down][j] + t[i][left] + t[i][right]);
                double change = v - t[i][j];
                worst = change > worst ? change : worst;
                r[i][j] = v;
            }
        }
    }
    return worst;
}

int main(void)
{
    int n = 45, m = 70;
    double (*t)[m] = malloc(sizeof(double[n][m])), (*r)[m] = malloc(sizeof(double[n][m]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            t[i][j] = (i * 7 + j * 3) % 13;
            r[i][j] = 0;
        }
    double got = relax(n, m, t, r), want = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = i > 0 ? i - 1 : 0, down = i < n - 1 ? i + 1 : n - 1;
            int left = j > 0 ? j - 1 : 0, right = j < m - 1 ? j + 1 : m - 1;
            double v = 0.25 * (t[up][j] + t[down][j] + t[i][left] + t[i][right]);
            want = v - t[i][j] > want ? v - t[i][j] : want;
            check_near("r", i * m + j, r[i][j], v, 1e-12);
        }
    check_near("worst", 0, got, want, 1e-12);
    free(t);
    free(r);
    return finish();
}

// Gangs run the outermost loop, which alone has a directive. The loop in it runs in order, as time steps do, and lanes run those in
// that one, which have neighbouring elements: what one of them wrote the next one reads. Arrays that overlap take the version in
// which lanes run nothing.
// expect-remark: Generating NVIDIA GPU code
// expect: launches=4 fallbacks=1
#include "check.h"

#define ROWS 37
#define N 130
#define STEPS 5

static double a[ROWS][N], b[ROWS][N], c[N][N], sum[ROWS][7][N], in[ROWS][7][N];
static double want[ROWS][N], before[ROWS][N];

static void time_steps(void)
{
    for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < N; p++)
            a[r][p] = want[r][p] = r * 3 + p % 11;
#pragma acc parallel loop copy(a, b)
    for (int r = 0; r < ROWS; r++)
        for (int t = 0; t < STEPS; t++) {
            for (int p = 1; p < N - 1; p++)
                b[r][p] = 0.25 * (a[r][p - 1] + 2 * a[r][p] + a[r][p + 1]) + t;
            for (int p = 1; p < N - 1; p++)
                a[r][p] = b[r][p];
        }
    for (int r = 0; r < ROWS; r++)
        for (int t = 0; t < STEPS; t++) {
            for (int p = 1; p < N - 1; p++)
                before[r][p] = 0.25 * (want[r][p - 1] + 2 * want[r][p] + want[r][p + 1]) + t;
            for (int p = 1; p < N - 1; p++)
                want[r][p] = before[r][p];
        }
    for (int at = 0; at < ROWS * N; at++)
        check_near("a", at, (&a[0][0])[at], (&want[0][0])[at], 1e-12);
}

static void products(void)
{
    for (int at = 0; at < ROWS * 7 * N; at++)
        (&in[0][0][0])[at] = at % 13 - 6;
    for (int at = 0; at < N * N; at++)
        (&c[0][0])[at] = at % 7;
#pragma acc parallel loop copyin(c) copyout(sum) copyin(in)
    for (int r = 0; r < ROWS; r++)
        for (int q = 0; q < 7; q++) {
            for (int p = 0; p < N; p++) {
                sum[r][q][p] = 0;
                for (int s = 0; s < N; s++)
                    sum[r][q][p] = sum[r][q][p] + in[r][q][s] * c[s][p];
            }
            for (int p = 0; p < N; p++)
                sum[r][q][p] *= 2;
        }
    for (int r = 0; r < ROWS; r++)
        for (int q = 0; q < 7; q++)
            for (int p = 0; p < N; p++) {
                double expected = 0;
                for (int s = 0; s < N; s++)
                    expected += in[r][q][s] * c[s][p];
                check_near("sum", (r * 7 + q) * N + p, sum[r][q][p], 2 * expected, 1e-9);
            }
}

// Each row sees what the one before it wrote, where the pointers are `x` and `x + 1`.
static void rows_of_pointers(int steps, double *to, const double *from, int w)
{
#pragma acc parallel loop copy(to[0:ROWS * w], from[0:ROWS * w])
    for (int r = 0; r < ROWS; r++)
        for (int t = 0; t < steps; t++) {
            for (int p = 1; p < N - 2; p++)
                to[r * w + p] = from[r * w + p - 1] + t;
            for (int p = 1; p < N - 2; p++)
                to[r * w + p] += 1;
        }
}

int main(void)
{
    static double x[ROWS * N + 1], y[ROWS * N + 1];
    time_steps();
    products();
    for (int at = 0; at <= ROWS * N; at++)
        x[at] = y[at] = at % 5;
#pragma acc data copy(x, y)
    {
        rows_of_pointers(2, y, x, N);
        rows_of_pointers(3, x + 1, x, N);
    }
    for (int r = 0; r < ROWS; r++)
        for (int p = 1; p < N - 2; p++)
            check_near("y", r * N + p, y[r * N + p], (r * N + p - 1) % 5 + 2, 0);
    static double z[ROWS * N + 1];
    for (int at = 0; at <= ROWS * N; at++)
        z[at] = at % 5;
    for (int r = 0; r < ROWS; r++)
        for (int t = 0; t < 3; t++) {
            for (int p = 1; p < N - 2; p++)
                z[r * N + p + 1] = z[r * N + p - 1] + t;
            for (int p = 1; p < N - 2; p++)
                z[r * N + p + 1] += 1;
        }
    for (int at = 0; at <= ROWS * N; at++)
        check_near("x", at, x[at], z[at], 0);
    return finish();
}

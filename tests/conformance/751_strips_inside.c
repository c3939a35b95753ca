// Columns inside other parallel loops: triangles, as covariances have, reductions that the launch would do side by side,
// gang loops that follow one another; and iterations that cannot run side by side: a sequential loop that ends early, one whose
// bounds depend on the iteration, rows that accumulate nothing.
// expect-remark: On the cpu strips of \d+ iterations of [a-z]+ run inside the sequential loops
#include "check.h"
#include <string.h>

enum { M = 301, N = 37 };
static double data[N][M], symmetric[M][M], want[M][M], x[M], want_x[M], rows[M][N];
static int lengths[M], found[M], want_found[M];

static void triangle(int m, int n)
{
#pragma acc parallel loop copyin(data) copy(symmetric)
    for (int a = 0; a < m; a++)
#pragma acc loop
        for (int b = a; b < m; b++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += data[i][a] * data[i][b];
            symmetric[a][b] = sum;
            if (a != b)
                symmetric[b][a] = sum;
        }
    for (int a = 0; a < m; a++)
        for (int b = a; b < m; b++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += data[i][a] * data[i][b];
            want[a][b] = want[b][a] = sum;
        }
    for (int a = 0; a < M; a++)
        for (int b = 0; b < M; b++)
            check_near("triangle", a * M + b, symmetric[a][b], want[a][b], 1e-12);
}

static void means(int m, int n)
{
    for (int j = 0; j < M; j++)
        x[j] = want_x[j] = j;
#pragma acc parallel copyin(data) copy(x)
    {
#pragma acc loop gang
        for (int j = 0; j < m; j++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int i = 0; i < n; i++)
                sum += data[i][j];
            x[j] += sum / N;
        }
    }
#pragma acc kernels copyin(data) copy(x)
    {
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                x[j] += data[i][j];
        for (int j = 0; j < m; j++)
            x[j] *= 2;
    }
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += data[i][j];
        want_x[j] = 2 * (want_x[j] + sum / N + sum);
    }
    for (int j = 0; j < M; j++)
        check_near("means", j, x[j], want_x[j], 1e-12);
}

static void alone(int m, int n)
{
#pragma acc parallel loop copyin(data, lengths) copy(found, x)
    for (int j = 0; j < m; j++) {
        found[j] = -1;
        for (int i = 0; i < n; i++)
            if (data[i][j] > 3) {
                found[j] = i;
                break;
            }
        for (int i = 0; i < lengths[j]; i++)
            x[j] += data[i][j];
    }
#pragma acc parallel loop copyout(rows) copyin(data)
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            rows[j][i] = data[i][j];
    for (int j = 0; j < m; j++) {
        want_found[j] = -1;
        for (int i = n - 1; i >= 0; i--)
            if (data[i][j] > 3)
                want_found[j] = i;
        for (int i = 0; i < lengths[j]; i++)
            want_x[j] += data[i][j];
    }
    for (int j = 0; j < M; j++) {
        check_int("found", j, found[j], want_found[j]);
        check_near("lengths", j, x[j], want_x[j], 1e-12);
        for (int i = 0; i < N; i++)
            check_near("rows", j * N + i, rows[j][i], data[i][j], 0);
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] = (i * 5 + j * 3) % 17 / 2.0 - 3;
    for (int j = 0; j < M; j++)
        lengths[j] = (j * 7) % (N + 1);
    triangle(M, N);
    triangle(M, 0);
    triangle(17, 6);
    means(M, N);
    means(M - 4, 3);
    means(M, 0);
    alone(M, N);
    alone(M - 1, 5);
    return finish();
}

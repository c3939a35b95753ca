// Scratch lines that are matrices, as in NAS FT and SP: two and three dimensions, pointers to rows, arrays of the file, structures'
// members, atomic updates of elements, and subscripts that only the device knows.
// expect: launches=6 uploads=1 downloads=5
#include <stdlib.h>
#include "check.h"

enum { N = 131, M = 5, L = 3 };
static double file_lines[N][M];

struct Work {
    float *lines;
    int n;
};

/* A tridiagonal system for each thread: forward and backward sweeps along lines of a thread's own. */
static void solve(int n, double out[n])
{
    double (*lhs)[M] = malloc(sizeof(double) * n * M), rhs[N][M];
#pragma acc data create(lhs[0:n], rhs) copyout(out[0:n])
    {
#pragma acc parallel loop
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < M; i++) {
                lhs[k][i] = 4 + (k + i) % 3;
                rhs[k][i] = k + i;
            }
            for (int i = 1; i < M; i++) {
                double f = 1 / lhs[k][i - 1];
                lhs[k][i] -= f;
                rhs[k][i] -= f * rhs[k][i - 1];
            }
        }
#pragma acc parallel loop
        for (int k = 0; k < n; k++) {
            rhs[k][M - 1] /= lhs[k][M - 1];
            for (int i = M - 2; i >= 0; i--)
                rhs[k][i] = (rhs[k][i] - rhs[k][i + 1]) / lhs[k][i];
            out[k] = rhs[k][0];
        }
    }
    free(lhs);
}

static double solved(int k)
{
    double l[M], r[M];
    for (int i = 0; i < M; i++)
        l[i] = 4 + (k + i) % 3, r[i] = k + i;
    for (int i = 1; i < M; i++) {
        double f = 1 / l[i - 1];
        l[i] -= f;
        r[i] -= f * r[i - 1];
    }
    r[M - 1] /= l[M - 1];
    for (int i = M - 2; i >= 0; i--)
        r[i] = (r[i] - r[i + 1]) / l[i];
    return r[0];
}

int main(void)
{
    double out[N];
    solve(N, out);
    for (int k = 0; k < N; k++)
        check_near("solve", k, out[k], solved(k), 1e-12);

    /* Three dimensions, and a subscript that is no sum of counters. */
    static int cube[N][L][M];
    int sums[N], next[M] = {3, 0, 4, 1, 2};
#pragma acc parallel loop create(cube) copyin(next) copyout(sums)
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < L; j++)
            for (int i = 0; i < M; i++)
                cube[k][j][next[i]] = (j + 1) * 10 + i;
        for (int j = 0; j < L; j++)
            for (int i = 0; i < M; i++)
#pragma acc atomic update
                cube[k][j][i] += k;
        int sum = 0;
        for (int j = 0; j < L; j++)
            for (int i = 0; i < M; i++)
                sum = sum * 3 + cube[k][j][i];
        sums[k] = sum;
    }
    for (int k = 0; k < N; k++) {
        int line[M], want = 0;
        for (int j = 0; j < L; j++) {
            for (int i = 0; i < M; i++)
                line[next[i]] = (j + 1) * 10 + i;
            for (int i = 0; i < M; i++)
                want = want * 3 + line[i] + k;
        }
        check_int("cube", k, sums[k], want);
    }

    /* An array of the file, in a loop over two dimensions of which the inner is the threads'. */
#pragma acc data create(file_lines)
    {
        for (int round = 0; round < 2; round++) {
#pragma acc parallel loop copyout(out)
            for (int k = 0; k < N; k++) {
                for (int i = 0; i < M; i++)
                    file_lines[k][i] = round == 0 ? k * i : file_lines[k][i] + 1;
                for (int i = 1; i < M; i++)
                    file_lines[k][i] += file_lines[k][i - 1];
                out[k] = file_lines[k][M - 1];
            }
        }
    }
    for (int k = 0; k < N; k++) {
        double line[M];
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < M; i++)
                line[i] = round == 0 ? k * i : line[i] + 1;
            for (int i = 1; i < M; i++)
                line[i] += line[i - 1];
        }
        check_near("file", k, out[k], line[M - 1], 0);
    }

    /* A member, rows of unsigned subscripts, and a part of each row that stays unused. */
    struct Work w = {malloc(sizeof(float) * N * 8), N};
    float ends[N];
#pragma acc data create(w.lines[0:N * 8]) copyout(ends)
    {
#pragma acc parallel loop
        for (unsigned k = 0; k < N; k++) {
            for (unsigned i = 0; i < 6; i++)
                w.lines[k * 8u + i] = i ? w.lines[k * 8u + i - 1] * 2 : k;
            ends[k] = w.lines[k * 8u + 5];
        }
    }
    for (int k = 0; k < N; k++)
        check_near("member", k, ends[k], 32.0f * k, 0);
    free(w.lines);
    return finish();
}

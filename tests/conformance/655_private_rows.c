// Private sections of pointers whose length only the launch knows: iterations of parallel loops have a row each.
// expect-remark: 30, #pragma acc loop gang
#include "check.h"

#include <stdlib.h>

#define N 40

static int first_of(const int *row, int n)
{
    return row[0] + n;
}

int main(int argc, char **argv)
{
    (void)argv;
    int m = 19 + argc, from = 3;
    double *tmp = malloc(m * sizeof *tmp);
    int *rows = malloc(m * sizeof *rows);
    double out[N][N], sums[N];
    for (int i = 0; i < m; i++) {
        tmp[i] = -1;
        rows[i] = -2;
    }

    // A loop's own section, which the lanes of a gang share.
#pragma acc data copyout(sums)
    {
#pragma acc parallel loop gang private(tmp[0 : m])
        for (int g = 0; g < N; g++) {
#pragma acc loop vector
            for (int i = 0; i < m; i++)
                tmp[i] = g * i;
            double s = 0;
#pragma acc loop vector reduction(+ : s)
            for (int i = 0; i < m; i++)
                s += tmp[m - 1 - i] * (i + 1);
            sums[g] = s;
        }
    }
    for (int g = 0; g < N; g++) {
        double s = 0;
        for (int i = 0; i < m; i++)
            s += g * (m - 1 - i) * (i + 1.0);
        check_near("sums", g, sums[g], s, 1e-12);
    }

    // Joined loops, steps, counting down, and bounds that are no numbers.
#pragma acc parallel loop collapse(2) private(rows[from : m - from]) copyout(out)
    for (int i = N - 1; i >= 0; i -= 1)
        for (int j = 0; j < 2 * m - N / 2; j += 3) {
            for (int k = from; k < m; k++)
                rows[k] = k == from ? i : rows[k - 1] + j;
            out[i][j] = rows[m - 1];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 2 * m - N / 2; j += 3)
            check_near("out", i * N + j, out[i][j], i + (m - 1.0 - from) * j, 0);

    // A section of gangs that two loops use, each for itself.
#pragma acc parallel num_gangs(7) private(rows[0 : m], tmp[0 : m]) copyout(sums)
    {
#pragma acc loop gang
        for (int g = 0; g < N; g++) {
#pragma acc loop worker
            for (int i = 0; i < m; i++)
                rows[i] = g + i;
            sums[g] = 0;
#pragma acc loop seq
            for (int i = 0; i < m; i++)
                sums[g] += rows[i];
        }
#pragma acc loop gang vector
        for (int g = 0; g <= N - 1; g++) {
            for (int i = m - 1; i >= 0; i--)
                tmp[i] = i == m - 1 ? g : tmp[i + 1] + 1;
            rows[0] = g;
            sums[g] += tmp[0] + first_of(rows, 5);
        }
    }
    for (int g = 0; g < N; g++)
        check_near("gangs", g, sums[g], m * g + m * (m - 1) / 2 + g + (m - 1) + g + 5, 0);

    // None of it reached the program's own arrays.
    for (int i = 0; i < m; i++) {
        check_near("tmp", i, tmp[i], -1, 0);
        check_int("rows", i, rows[i], -2);
    }
    free(tmp);
    free(rows);
    return finish();
}

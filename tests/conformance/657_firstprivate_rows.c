// Sections of pointers that start with the host's values, whose length only the launch knows, and that iterations change: each
// iteration of a parallel loop has its own.
// expect-remark: 26, #pragma acc loop gang, vector
#include "check.h"

#include <stdlib.h>

#define N 60

int main(int argc, char **argv)
{
    (void)argv;
    int m = 19 + argc, from = 2;
    int *start = malloc(m * sizeof *start), *where = malloc(N * sizeof *where);
    float *weights = malloc(m * sizeof *weights);
    int got[N];
    double sums[N];
    for (int i = 0; i < m; i++) {
        start[i] = 3 * i;
        weights[i] = 0.5f * i;
    }
    for (int i = 0; i < N; i++)
        where[i] = i * 7 % m;

#pragma acc parallel loop firstprivate(start[0 : m]) copyin(where[0 : N]) copyout(got)
    for (int i = 0; i < N; i++) {
        start[where[i]] += i;
        start[where[i] / 2]++;
        got[i] = 0;
        for (int k = 0; k < m; k++)
            got[i] += start[k] * (k + 1);
    }
    for (int i = 0; i < N; i++) {
        int want = i * (where[i] + 1) + where[i] / 2 + 1;
        for (int k = 0; k < m; k++)
            want += 3 * k * (k + 1);
        check_int("got", i, got[i], want);
    }

#pragma acc parallel num_gangs(6) firstprivate(weights[from : m - from]) copyout(sums)
    {
#pragma acc loop gang
        for (int g = 0; g < N; g++) {
#pragma acc loop vector
            for (int k = from; k < m; k++)
                weights[k] *= g;
            double s = 0;
#pragma acc loop vector reduction(+ : s)
            for (int k = from; k < m; k++)
                s += weights[m - 1 + from - k] * k;
            sums[g] = s;
        }
    }
    for (int g = 0; g < N; g++) {
        double s = 0;
        for (int k = from; k < m; k++)
            s += 0.5 * (m - 1 + from - k) * g * k;
        check_near("sums", g, sums[g], s, 1e-6);
    }
    for (int i = 0; i < m; i++) {
        check_int("start", i, start[i], 3 * i);
        check_near("weights", i, weights[i], 0.5 * i, 0);
    }
    free(start);
    free(where);
    free(weights);
    return finish();
}

// A function with launches that other files may call: its loops that threads do not share run on the device from the second
// call on, when that has what they write. Those of a function that nobody else can call, and which is called once, stay on the host.
// expect: launches=6 downloads<=10
#include "../check.h"
#include <stdlib.h>

enum { N = 30011 };

void solve(double *x, double *work, int n, double start)
{
    for (int i = 0; i < n; i++)
        work[i] = start + i % 7;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] += 2 * work[i];
        work[i] = 0;
    }
}

static void once(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] + 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= 0.5;
}

int main(void)
{
    double *x = malloc(N * sizeof(double)), *work = malloc(N * sizeof(double));
    for (int i = 0; i < N; i++)
        x[i] = i;
    solve(x, work, N, 1);
    solve(x, work, N, 2);
    solve(x, work, N, 0);
    once(x, N);
    for (int i = 0; i < N; i++) {
        double want = i + 2.0 * (3 + 3 * (i % 7));
        check_near("x", i, x[i], (want + 1) * 0.5, 1e-12);
    }
    return finish();
}

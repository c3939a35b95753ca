// Each iteration has a large array, and the loop works on memory that the runtime does not know: the host's threads run it, each
// with an array of its own.
// expect: launches=1
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include "../check.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { N = 300, M = 3000 };

static void sums(double *out, const double *in)
{
    double line[M];
#pragma omp parallel for private(line)
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < M; k++)
            line[k] = in[i] * k;
        double sum = 0;
        for (int k = 0; k < M; k++)
            sum += line[M - 1 - k];
        out[i] = sum;
    }
}

int main(void)
{
    double *known = malloc(N * sizeof *known), *in = malloc(N * sizeof *in);
    double *unknown = mmap(NULL, N * sizeof *unknown, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < N; i++)
        in[i] = i + 1;
    sums(known, in);
    sums(unknown, in);
    for (int i = 0; i < N; i++) {
        check_near("on the device", i, known[i], (i + 1) * (M * (M - 1.0) / 2), 1e-12);
        check_near("with the host's threads", i, unknown[i], known[i], 0);
    }
    return finish();
}

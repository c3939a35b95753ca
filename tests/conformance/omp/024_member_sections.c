// Sections of what members point to, and of member arrays: `s.p[0:n]`, `q->x[0:n]`, `q->inner.v[a:n]`.
// expect: launches=5
// needs: separate
// gcc: rejects, it changes memory beside q->fixed
#include "../check.h"
#include <stdlib.h>

#define N 70

struct inner {
    int count;
    double *v;
};
struct outer {
    int n;
    int *x;
    int fixed[N];
    struct inner inner;
};

int main(void)
{
    struct outer s, *q = &s;
    s.n = N;
    s.x = malloc(N * sizeof *s.x);
    s.inner.count = N;
    s.inner.v = malloc(N * sizeof *s.inner.v);
    for (int i = 0; i < N; i++) {
        s.x[i] = s.fixed[i] = i;
        s.inner.v[i] = 0.5 * i;
    }
#pragma omp target teams distribute parallel for map(tofrom: s.x[0:N])
    for (int i = 0; i < N; i++)
        s.x[i] += 1;
#pragma omp target teams distribute parallel for map(tofrom: q->x[0:N])
    for (int i = 0; i < N; i++)
        q->x[i] += 1;
#pragma omp target teams distribute parallel for map(to: q->x[0:N]) map(tofrom: q->inner.v[10:20])
    for (int i = 10; i < 30; i++)
        q->inner.v[i] += q->x[i];
#pragma omp target map(tofrom: s.fixed[5:10])
    for (int i = 5; i < 15; i++)
        s.fixed[i] *= 3;
#pragma omp target map(tofrom: q->fixed[0:N])
    for (int i = 0; i < N; i++)
        q->fixed[i]++;
    for (int i = 0; i < N; i++) {
        check_int("x", i, s.x[i], i + 2);
        check_int("fixed", i, s.fixed[i], (i >= 5 && i < 15 ? 3 * i : i) + 1);
        check_near("v", i, s.inner.v[i], i >= 10 && i < 30 ? 1.5 * i + 2 : 0.5 * i, 0);
    }
    return finish();
}

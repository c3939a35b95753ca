// Pointers that are names for arrays in a loop, and arguments of functions that become part of one: accesses through them
// count as those of the arrays, and where a name gets another value it is a pointer of its own.
// expect: launches=6
#include "../check.h"
#include <stdlib.h>

enum { N = 1001 };

typedef struct {
    double *x;
    int n;
} Vector;

int factor = 3;

static int next(int *seed, int at)
{
    seed[at] = seed[at] * factor + 1;
    return seed[at] % 17;
}

static double twice(int *seed, int at)
{
    return next(seed, at) + 0.5 * next(seed, at);
}

int main(void)
{
    double *p = malloc((N + 8) * sizeof(double)), *r = malloc((N + 8) * sizeof(double));
    double *wp = malloc((N + 8) * sizeof(double)), *wr = malloc((N + 8) * sizeof(double));
    int *seed = malloc(N * sizeof(int)), *wseed = malloc(N * sizeof(int));
    Vector v = {p, N};
    for (int i = 0; i < N + 8; i++) {
        p[i] = wp[i] = i;
        r[i] = wr[i] = 2 * i;
    }
    for (int i = 0; i < N; i++)
        seed[i] = wseed[i] = i;

    // Functions that use a variable at file scope become part of the loop, one inside the other.
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        r[i] += twice(seed, i);
    for (int i = 0; i < N; i++)
        wr[i] += twice(wseed, i);

    // The plain case, with const and with a name for a name.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double *q = p, *again = q;
        const double *in = r;
        again[i] += in[i];
    }
    for (int i = 0; i < N; i++)
        wp[i] += wr[i];

    // A pointer to another element: two names overlap.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double *q = p, *behind = p + 1;
        q++;
        r[i] += q[i] - 0.25 * behind[i];
    }
    for (int i = 0; i < N; i++)
        wr[i] += 0.75 * wp[i + 1];

    // The name's array changes while the copy is in use.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double *a = p;
        for (int k = 0; k < 3; k++) {
            double *q = a;
            q[i] += k;
            a = r;
        }
    }
    for (int i = 0; i < N; i++) {
        wp[i] += 0;
        wr[i] += 3;
    }

    // One of two arrays.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double *a = p, *b = r, *q = i % 2 ? a : b, *same = q;
        same[i] += 1;
    }
    for (int i = 0; i < N; i++)
        *(i % 2 ? &wp[i] : &wr[i]) += 1;

    // Through a pointer to it the name is changed.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double *a = p, *b = a, **where = &a;
        b[i] += 1;
        *where = r;
        a[i] += 5;
    }
    for (int i = 0; i < N; i++) {
        wp[i] += 1;
        wr[i] += 5;
    }

    // A member.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double *q = v.x;
        q[i] += 3;
    }
    for (int i = 0; i < N; i++)
        wp[i] += 3;

    for (int i = 0; i < N; i++) {
        check_near("p", i, p[i], wp[i], 1e-12);
        check_near("r", i, r[i], wr[i], 1e-12);
        check_int("seed", i, seed[i], wseed[i]);
    }
    return finish();
}

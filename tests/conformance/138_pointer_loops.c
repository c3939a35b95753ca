// Loops that count with a pointer (OpenACC 3.3 section 2.9): up and down, with steps, over rows, zero-trip.
// expect: launches=5
#include "check.h"

#define N 1000

typedef struct { double x; int n; } cell;

static double a[N], want[N];
static cell c[N];
static int m[8][N];

int main(void)
{
    double *p, *first = a, *end = a + N;
    double sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = want[i] = i;

#pragma acc parallel loop copy(a[0:N])
    for (double *q = first; q < first + N; q++)
        *q = 2 * *q + 1;
    for (int i = 0; i < N; i++)
        check_near("up", i, a[i], 2.0 * i + 1, 0);

#pragma acc parallel loop reduction(+:sum) copyin(first[0:N])
    for (p = first; p != end; p += 4)
        sum += *p;
    check_near("sum", 0, sum, 2 * (4.0 * 250 * 249 / 2) + 250, 0);

#pragma acc parallel loop copy(a)
    for (double *q = &a[N - 1]; q >= &a[N - 10]; --q)
        q[0] = -q[0];
    for (int i = 0; i < N; i++)
        check_near("down", i, a[i], i < N - 10 ? 2.0 * i + 1 : -(2.0 * i + 1), 0);

#pragma acc kernels loop independent copyout(c)
    for (cell *q = c; q < &c[N]; q++) {
        q->x = (q - c) * 0.5;
        q->n = q - c;
    }
    for (int i = 0; i < N; i++) {
        check_near("member", i, c[i].x, i * 0.5, 0);
        check_int("member", i, c[i].n, i);
    }

#pragma acc parallel loop gang copyout(m)
    for (int i = 0; i < 8; i++) {
#pragma acc loop vector
        for (int *q = m[i]; q < m[i] + N; q++)
            *q = i * N + (q - m[i]);
    }
    for (int i = 0; i < 8 * N; i++)
        check_int("row", i, m[i / N][i % N], i);

    int ran = 0;
#pragma acc parallel loop reduction(+:ran)
    for (double *q = end; q < first; q++)
        ran++;
    check_int("zero-trip", 0, ran, 0);
    return finish();
}

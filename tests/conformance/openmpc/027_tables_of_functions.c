// Tables that functions read by way of a pointer that could write, as NAS FT's: they go to the device once, and never come back. What
// a function writes by way of another function's parameter comes back.
// expect: launches=6 uploads=1 downloads<=4
#include "../check.h"

#define N 20000

typedef struct {
    double real, imag;
} complex_number;

static complex_number roots[8192], u[N];
static double seen[2][5000];

static double second(complex_number *t) { return t->imag; }
static double part(complex_number t[], int i) { return t[i % 8192].real + second(t + i % 8192); }

static void turn(complex_number t[], complex_number *to, int i)
{
    complex_number w = t[i % 8192], *at = &to[i];
    double re = at->real * w.real - at->imag * w.imag;
    at->imag = at->real * w.imag + at->imag * w.real + 0 * part(t, i);
    at->real = re;
}

static void turn_all(int from, int to)
{
    int i;
#pragma omp parallel for
    for (i = from; i < to; i++)
        turn(roots, u, i);
}

static void put(double *t, int i, double value) { *(t + i) = value; }
static void put_further(double *t, int i) { put(t, i, i); }

int main(void)
{
    int i;
    for (i = 0; i < 8192; i++) {
        roots[i].real = i % 2 ? 0 : 1;
        roots[i].imag = i % 2 ? 1 : 0;
    }
#pragma omp parallel for
    for (i = 0; i < N; i++) {
        u[i].real = i;
        u[i].imag = 1;
    }
    for (int step = 0; step < 4; step++)
        turn_all(0, N);
    // 1 to the fourth power, and i.
    check_near("real", 17, u[17].real, 17, 1e-12);
    check_near("root", 17, roots[17].imag, 1, 0);
#pragma omp parallel for
    for (i = 0; i < 5000; i++)
        put_further(seen[1], i);
    check_near("seen", 4000, seen[1][4000], 4000, 0);
    check_near("seen", 0, seen[0][1], 0, 0);
    return finish();
}

// NAS FT: functions with loops, scratch arrays in them, handed to a further function; a checksum by `critical`.
// expect: launches=5
#include "../check.h"

#define NX 16
#define NY 16
#define NZ 8
#define BLOCK 4

typedef struct {
    double real, imag;
} complex_number;

static complex_number u0[NZ][NY][NX], u1[NZ][NY][NX], sum;
static int extents[3] = {NX, NY, NZ};

static void start(complex_number a[NZ][NY][NX])
{
    int i, j, k;
#pragma omp for
    for (k = 0; k < NZ; k++)
        for (j = 0; j < NY; j++)
            for (i = 0; i < NX; i++) {
                a[k][j][i].real = (i + 3 * j + 5 * k) % 7;
                a[k][j][i].imag = (i * j + k) % 5;
            }
}

static void transform(int n, complex_number x[NX][BLOCK], int of)
{
    complex_number y[NX];
    for (int k = 0; k < n; k++) {
        y[k].real = y[k].imag = 0;
        for (int m = 0; m < n; m++) {
            double c = cos(-2 * 3.141592653589793 * k * m / n), s = sin(-2 * 3.141592653589793 * k * m / n);
            y[k].real += x[m][of].real * c - x[m][of].imag * s;
            y[k].imag += x[m][of].real * s + x[m][of].imag * c;
        }
    }
    for (int k = 0; k < n; k++)
        x[k][of] = y[k];
}

static void transform_rows(int n[3], complex_number x[NZ][NY][NX], complex_number out[NZ][NY][NX])
{
    complex_number y[NX][BLOCK];
    int i, j, k, first;
#pragma omp for
    for (k = 0; k < n[2]; k++)
        for (first = 0; first <= n[1] - BLOCK; first += BLOCK) {
            for (j = 0; j < BLOCK; j++)
                for (i = 0; i < n[0]; i++)
                    y[i][j] = x[k][j + first][i];
            for (j = 0; j < BLOCK; j++)
                transform(n[0], y, j);
            for (j = 0; j < BLOCK; j++)
                for (i = 0; i < n[0]; i++)
                    out[k][j + first][i] = y[i][j];
        }
}

static void checksum(complex_number a[NZ][NY][NX])
{
    int j, q, r, s;
    double real = 0, imag = 0;
#pragma omp for nowait
    for (j = 1; j <= 512; j++) {
        q = j % NX;
        r = (3 * j) % NY;
        s = (5 * j) % NZ;
        real += a[s][r][q].real;
        imag += a[s][r][q].imag;
    }
#pragma omp critical
    {
        sum.real += real;
        sum.imag += imag;
    }
#pragma omp barrier
#pragma omp single
    {
        sum.real /= 100;
        sum.imag /= 100;
    }
}

int main(void)
{
    int step;
#pragma omp parallel private(step)
    {
        start(u0);
        for (step = 0; step < 2; step++) {
            transform_rows(extents, u0, u1);
#pragma omp barrier
            checksum(u1);
        }
    }
    check_near("real", 0, sum.real, 17.6347298766588, 1e-6);
    check_near("imag", 0, sum.imag, -2.91293564934584, 1e-6);
    return finish();
}

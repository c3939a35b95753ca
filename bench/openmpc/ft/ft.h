/* Input and check of FT: a field is transformed, and in each step multiplied by factors and transformed back (after NAS FT). */
#include "../frame.h"

enum { MAXDIM = 256, MAXCELLS = 256 * 256 * 128 };
typedef struct {
    double real, imag;
} dcomplex;

static dcomplex u0[MAXCELLS], u1[MAXCELLS], ex_u[2 * MAXDIM];
static double twiddle[MAXCELLS];
static int nx, ny, nz, niter;
static dcomplex sums[32];
#define PI 3.141592653589793238
#define ALPHA 1.0e-6

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_ft", "", bench_arg(argc, argv, 4, 1), 1e-9};
    nx = ny = bench_arg(argc, argv, 1, 32);
    nz = bench_arg(argc, argv, 2, 32);
    niter = bench_arg(argc, argv, 3, 2);
    if ((nx & (nx - 1)) || (nz & (nz - 1)) || nx > MAXDIM || nz > MAXDIM || (long)nx * ny * nz > MAXCELLS || niter > 31)
        exit(2);
    snprintf(facts.size, sizeof facts.size, "%dx%dx%dx%d", nx, ny, nz, niter);
    return facts;
}

LINKAGE void input(void)
{
    for (int i = 0; i < nx * ny * nz; i++) {
        u1[i].real = noise(i, 1);
        u1[i].imag = noise(i, 2);
    }
    for (int i = 0; i < MAXDIM; i++) {
        /* The roots of 2^k lie from 2^(k-1) on. */
        int half = 1;
        while (2 * half <= i)
            half *= 2;
        double angle = i ? PI * (i - half) / half : 0;
        ex_u[i].real = cos(angle);
        ex_u[i].imag = sin(angle);
    }
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int i = 1; i <= niter; i++)
        sum += sums[i].real + sums[i].imag;
    return sum;
}

/* Stockham's transform of a line of the serial run. */
static void serial_line(int n, dcomplex *a, int stride, int is, dcomplex *x, dcomplex *y)
{
    for (int i = 0; i < n; i++)
        x[i] = a[(size_t)i * stride];
    for (int l = 1; l < n; l *= 2) {
        for (int b = 0; b < n / (2 * l); b++)
            for (int k = 0; k < l; k++) {
                dcomplex w = ex_u[l + k], p = x[b * l + k], q = x[n / 2 + b * l + k];
                double im = is * w.imag, re = w.real * q.real - im * q.imag, i2 = w.real * q.imag + im * q.real;
                y[2 * b * l + k].real = p.real + re;
                y[2 * b * l + k].imag = p.imag + i2;
                y[2 * b * l + l + k].real = p.real - re;
                y[2 * b * l + l + k].imag = p.imag - i2;
            }
        dcomplex *t = x;
        x = y;
        y = t;
    }
    for (int i = 0; i < n; i++)
        a[(size_t)i * stride] = x[i];
}

static void serial_fft(int is, dcomplex *a)
{
    static dcomplex x[MAXDIM], y[MAXDIM];
    for (int d = 0; d < 3; d++) {
        int n = d == 0 ? nx : d == 1 ? ny : nz, stride = d == 0 ? 1 : d == 1 ? nx : nx * ny;
        for (int at = 0; at < nx * ny * nz; at++)
            if (at / stride % n == 0)
                serial_line(n, a + at, stride, is, x, y);
    }
}

LINKAGE double check(void)
{
    double error = 0;
    int cells = nx * ny * nz;
    dcomplex *a = (dcomplex *)bench_alloc(cells, sizeof *a), *b = (dcomplex *)bench_alloc(cells, sizeof *b);
    for (int i = 0; i < cells; i++) {
        a[i].real = noise(i, 1);
        a[i].imag = noise(i, 2);
    }
    serial_fft(1, a);
    for (int step = 1; step <= niter; step++) {
        double re = 0, im = 0;
        for (int at = 0; at < cells; at++) {
            int i = at % nx, j = at / nx % ny, k = at / (nx * ny);
            int ii = (i + nx / 2) % nx - nx / 2, jj = (j + ny / 2) % ny - ny / 2, kk = (k + nz / 2) % nz - nz / 2;
            double t = exp(-4.0 * ALPHA * PI * PI * (ii * ii + jj * jj + kk * kk));
            a[at].real *= t;
            a[at].imag *= t;
            b[at] = a[at];
        }
        serial_fft(-1, b);
        for (int j = 1; j <= 1024; j++) {
            int q = j % nx, r = 3 * j % ny, s = 5 * j % nz;
            re += b[q + (size_t)nx * (r + (size_t)ny * s)].real;
            im += b[q + (size_t)nx * (r + (size_t)ny * s)].imag;
        }
        error = bench_worst(error, sums[step].real, re / cells, 1e-3);
        error = bench_worst(error, sums[step].imag, im / cells, 1e-3);
    }
    free(a);
    free(b);
    return error;
}

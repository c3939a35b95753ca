/* FT for a CPU, as NAS has it: static arrays, and functions that transform blocks of lines in arrays of their own. */
#define FRAME_MAIN
#include "ft.h"

#define FFTBLOCK 16
#define FFTBLOCKPAD 18

static int ilog2(int n)
{
    int nn, lg;
    if (n == 1)
        return 0;
    lg = 1;
    nn = 2;
    while (nn < n) {
        nn = nn << 1;
        lg++;
    }
    return lg;
}

static void fftz2(int is, int l, int m, int n, int ny, int ny1, dcomplex u[], dcomplex x[][FFTBLOCKPAD],
                  dcomplex y[][FFTBLOCKPAD])
{
    int k, n1, li, lj, lk, ku, i, j, i11, i12, i21, i22;
    dcomplex u1, x11, x21;
    (void)m;
    (void)ny1;
    n1 = n / 2;
    lk = 1 << (l - 1);
    li = 1 << (m - l);
    lj = 2 * lk;
    ku = lk;
    for (i = 0; i <= li - 1; i++) {
        i11 = i * lk;
        i12 = i11 + n1;
        i21 = i * lj;
        i22 = i21 + lk;
        for (k = 0; k <= lk - 1; k++) {
            u1.real = u[ku + k].real;
            u1.imag = is >= 1 ? u[ku + k].imag : -u[ku + k].imag;
            for (j = 0; j < ny; j++) {
                x11 = x[i11 + k][j];
                x21 = x[i12 + k][j];
                y[i21 + k][j].real = x11.real + (u1.real * x21.real - u1.imag * x21.imag);
                y[i21 + k][j].imag = x11.imag + (u1.real * x21.imag + u1.imag * x21.real);
                y[i22 + k][j].real = x11.real - (u1.real * x21.real - u1.imag * x21.imag);
                y[i22 + k][j].imag = x11.imag - (u1.real * x21.imag + u1.imag * x21.real);
            }
        }
    }
}

static void cfftz(int is, int m, int n, dcomplex x[MAXDIM][FFTBLOCKPAD], dcomplex y[MAXDIM][FFTBLOCKPAD])
{
    int i, j, l;
    for (l = 1; l <= m; l += 2) {
        fftz2(is, l, m, n, FFTBLOCK, FFTBLOCKPAD, ex_u, x, y);
        if (l == m)
            break;
        fftz2(is, l + 1, m, n, FFTBLOCK, FFTBLOCKPAD, ex_u, y, x);
    }
    if (m % 2 == 1) {
        for (j = 0; j < n; j++)
            for (i = 0; i < FFTBLOCK; i++)
                x[j][i] = y[j][i];
    }
}

static void cffts1(int is, int d1, int d2, int d3, dcomplex *x, dcomplex *xout)
{
    int logd1 = ilog2(d1), i, j, k, jj;
    dcomplex y0[MAXDIM][FFTBLOCKPAD], y1[MAXDIM][FFTBLOCKPAD];
#pragma omp parallel default(shared) private(i, j, k, jj, y0, y1) shared(is, logd1, d1, d2, d3)
    {
#pragma omp for
        for (k = 0; k < d3; k++) {
            for (jj = 0; jj <= d2 - FFTBLOCK; jj += FFTBLOCK) {
                for (j = 0; j < FFTBLOCK; j++)
                    for (i = 0; i < d1; i++)
                        y0[i][j] = x[(k * d2 + j + jj) * d1 + i];
                cfftz(is, logd1, d1, y0, y1);
                for (j = 0; j < FFTBLOCK; j++)
                    for (i = 0; i < d1; i++)
                        xout[(k * d2 + j + jj) * d1 + i] = y0[i][j];
            }
        }
    }
}

static void cffts2(int is, int d1, int d2, int d3, dcomplex *x, dcomplex *xout)
{
    int logd2 = ilog2(d2), i, j, k, ii;
    dcomplex y0[MAXDIM][FFTBLOCKPAD], y1[MAXDIM][FFTBLOCKPAD];
#pragma omp parallel default(shared) private(i, j, k, ii, y0, y1) shared(is, logd2, d1, d2, d3)
    {
#pragma omp for
        for (k = 0; k < d3; k++) {
            for (ii = 0; ii <= d1 - FFTBLOCK; ii += FFTBLOCK) {
                for (j = 0; j < d2; j++)
                    for (i = 0; i < FFTBLOCK; i++)
                        y0[j][i] = x[(k * d2 + j) * d1 + i + ii];
                cfftz(is, logd2, d2, y0, y1);
                for (j = 0; j < d2; j++)
                    for (i = 0; i < FFTBLOCK; i++)
                        xout[(k * d2 + j) * d1 + i + ii] = y0[j][i];
            }
        }
    }
}

static void cffts3(int is, int d1, int d2, int d3, dcomplex *x, dcomplex *xout)
{
    int logd3 = ilog2(d3), i, j, k, ii;
    dcomplex y0[MAXDIM][FFTBLOCKPAD], y1[MAXDIM][FFTBLOCKPAD];
#pragma omp parallel default(shared) private(i, j, k, ii, y0, y1) shared(is, logd3, d1, d2, d3)
    {
#pragma omp for
        for (j = 0; j < d2; j++) {
            for (ii = 0; ii <= d1 - FFTBLOCK; ii += FFTBLOCK) {
                for (k = 0; k < d3; k++)
                    for (i = 0; i < FFTBLOCK; i++)
                        y0[k][i] = x[(k * d2 + j) * d1 + i + ii];
                cfftz(is, logd3, d3, y0, y1);
                for (k = 0; k < d3; k++)
                    for (i = 0; i < FFTBLOCK; i++)
                        xout[(k * d2 + j) * d1 + i + ii] = y0[k][i];
            }
        }
    }
}

static void fft(int dir, dcomplex *x1, dcomplex *x2)
{
    if (dir == 1) {
        cffts1(1, nx, ny, nz, x1, x1);
        cffts2(1, nx, ny, nz, x1, x1);
        cffts3(1, nx, ny, nz, x1, x2);
    } else {
        cffts3(-1, nx, ny, nz, x1, x1);
        cffts2(-1, nx, ny, nz, x1, x1);
        cffts1(-1, nx, ny, nz, x1, x2);
    }
}

static void compute_indexmap(void)
{
    int i, j, k, ii, jj, kk, ij2, at;
    double ap = -4.0 * ALPHA * PI * PI;
#pragma omp parallel for default(shared) private(i, j, k, ii, jj, kk, ij2, at)
    for (k = 0; k < nz; k++) {
        kk = (k + nz / 2) % nz - nz / 2;
        for (j = 0; j < ny; j++) {
            jj = (j + ny / 2) % ny - ny / 2;
            ij2 = jj * jj + kk * kk;
            for (i = 0; i < nx; i++) {
                ii = (i + nx / 2) % nx - nx / 2;
                at = (k * ny + j) * nx + i;
                twiddle[at] = exp(ap * (double)(ii * ii + ij2));
            }
        }
    }
}

static void evolve(void)
{
    int i;
#pragma omp parallel for default(shared) private(i)
    for (i = 0; i < nx * ny * nz; i++) {
        u0[i].real = u0[i].real * twiddle[i];
        u0[i].imag = u0[i].imag * twiddle[i];
        u1[i].real = u0[i].real;
        u1[i].imag = u0[i].imag;
    }
}

static void checksum(int step)
{
    double re = 0.0, im = 0.0;
    int j, q, r, s;
#pragma omp parallel for default(shared) private(j, q, r, s) reduction(+ : re, im)
    for (j = 1; j <= 1024; j++) {
        q = j % nx;
        r = 3 * j % ny;
        s = 5 * j % nz;
        re += u1[q + nx * (r + ny * s)].real;
        im += u1[q + nx * (r + ny * s)].imag;
    }
    sums[step].real = re / (double)(nx * ny * nz);
    sums[step].imag = im / (double)(nx * ny * nz);
}

void compute(void)
{
    int iter;
    compute_indexmap();
    fft(1, u1, u0);
    for (iter = 1; iter <= niter; iter++) {
        evolve();
        fft(-1, u1, u1);
        checksum(iter);
    }
}

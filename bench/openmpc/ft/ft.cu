/* FT in CUDA: a block transforms sixteen neighbouring lines, or one that lies in memory as it is, in shared memory. */
#define FRAME_MAIN
#include "ft.h"
#include "../../common/reduce.cuh"

static dcomplex *d0, *d1, *dex;
static double *dtwiddle, *dsums;

__device__ static void pass(int n, int l, int is, const dcomplex *ex, const dcomplex *x, dcomplex *y, int lines)
{
    for (int t = threadIdx.x; t < n / 2 * lines; t += blockDim.x) {
        int j = t % lines, at = t / lines, b = at / l, k = at % l;
        dcomplex w = ex[l + k], p = x[(b * l + k) * lines + j], q = x[(n / 2 + b * l + k) * lines + j];
        double im = is * w.imag, re = w.real * q.real - im * q.imag, i2 = w.real * q.imag + im * q.real;
        y[(2 * b * l + k) * lines + j] = {p.real + re, p.imag + i2};
        y[(2 * b * l + l + k) * lines + j] = {p.real - re, p.imag - i2};
    }
    __syncthreads();
}

/* Lines with elements `stride` apart; block b begins at `lines * b` of a plane of `stride` neighbours. */
__global__ void transform(int n, int stride, int lines, int is, const dcomplex *ex, const dcomplex *from, dcomplex *to)
{
    extern __shared__ dcomplex memory[];
    dcomplex *x = memory, *y = memory + n * lines;
    size_t begin;
    if (stride == 1) {
        begin = (size_t)blockIdx.x * n;
    } else {
        int in_plane = stride / lines;
        begin = (size_t)(blockIdx.x / in_plane) * n * stride + (blockIdx.x % in_plane) * lines;
    }
    for (int t = threadIdx.x; t < n * lines; t += blockDim.x)
        x[t] = from[begin + (size_t)(t / lines) * stride + t % lines];
    __syncthreads();
    for (int l = 1; l < n; l *= 2) {
        pass(n, l, is, ex, x, y, lines);
        dcomplex *swap = x;
        x = y;
        y = swap;
    }
    for (int t = threadIdx.x; t < n * lines; t += blockDim.x)
        to[begin + (size_t)(t / lines) * stride + t % lines] = x[t];
}

__global__ void factors(int nx, int ny, int nz, double *twiddle)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % nx, j = at / nx % ny, k = at / (nx * ny);
    if (k >= nz)
        return;
    int ii = (i + nx / 2) % nx - nx / 2, jj = (j + ny / 2) % ny - ny / 2, kk = (k + nz / 2) % nz - nz / 2;
    twiddle[at] = exp(-4.0 * ALPHA * PI * PI * (ii * ii + jj * jj + kk * kk));
}

__global__ void evolve(int cells, dcomplex *u0, dcomplex *u1, const double *twiddle)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells) {
        dcomplex u = {u0[i].real * twiddle[i], u0[i].imag * twiddle[i]};
        u0[i] = u1[i] = u;
    }
}

__global__ void checksum(int nx, int ny, int nz, const dcomplex *u, double *sums)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, at = j % nx + nx * (3 * j % ny + ny * (5 * j % nz));
    double re = bench_block_reduce<bench_sum>(u[at].real), im = bench_block_reduce<bench_sum>(u[at].imag);
    if (bench_first_of_block()) {
        atomicAdd(&sums[0], re);
        atomicAdd(&sums[1], im);
    }
}

static void line(int d, int is, const dcomplex *from, dcomplex *to)
{
    int n = d == 0 ? nx : d == 1 ? ny : nz, stride = d == 0 ? 1 : d == 1 ? nx : nx * ny, lines = d == 0 ? 1 : 8;
    size_t shared = 2 * (size_t)n * lines * sizeof(dcomplex);
    CUDA_CHECK(cudaFuncSetAttribute(transform, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    transform<<<nx * ny * nz / n / lines, d == 0 ? 128 : 256, shared>>>(n, stride, lines, is, dex, from, to);
}

LINKAGE void to_device(void)
{
    size_t cells = (size_t)nx * ny * nz;
    put(d1, u1, cells);
    put(dex, ex_u, 2 * MAXDIM);
    room(d0, cells);
    room(dtwiddle, cells);
    room(dsums, 2);
}

LINKAGE void compute(void)
{
    int cells = nx * ny * nz;
    factors<<<bench_blocks(cells, 256), 256>>>(nx, ny, nz, dtwiddle);
    line(0, 1, d1, d1);
    line(1, 1, d1, d1);
    line(2, 1, d1, d0);
    for (int step = 1; step <= niter; step++) {
        double got[2];
        evolve<<<bench_blocks(cells, 256), 256>>>(cells, d0, d1, dtwiddle);
        line(2, -1, d1, d1);
        line(1, -1, d1, d1);
        line(0, -1, d1, d1);
        CUDA_CHECK(cudaMemset(dsums, 0, 2 * sizeof(double)));
        checksum<<<4, BENCH_BLOCK>>>(nx, ny, nz, d1, dsums);
        get(got, dsums, 2);
        sums[step].real = got[0] / cells;
        sums[step].imag = got[1] / cells;
    }
}

LINKAGE void from_device(void) {}

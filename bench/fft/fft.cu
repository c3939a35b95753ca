/* Transforms of a spectrum that turns, in CUDA, one element or butterfly a thread. Passes of radix 2 from one array
 * to another, in Stockham's order. */
#include "fft.h"
#include "../common/reduce.cuh"

__global__ void start_kernel(int n, complex_number *spectrum, double *speed, complex_number *root)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    spectrum[i].re = SPECTRUM_RE(i);
    spectrum[i].im = SPECTRUM_IM(i);
    speed[i] = SPEED(i);
    if (i < n / 2)
        sincos(-TWO_PI * i / n, &root[i].im, &root[i].re);
}

__global__ void evolve(int n, int time, const complex_number *spectrum, const double *speed, complex_number *work)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double c, s;
    sincos(time * speed[i], &s, &c);
    complex_number x = spectrum[i];
    work[i].re = c * x.re - s * x.im;
    work[i].im = c * x.im + s * x.re;
}

__global__ void pass(int n, int span, const complex_number *from, complex_number *to, const complex_number *root)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2)
        return;
    int low = i & (span - 1), high = i - low;
    complex_number x = from[i], y = from[i + n / 2], w = root[high];
    double re = x.re - y.re, im = x.im - y.im;
    complex_number sum = {x.re + y.re, x.im + y.im}, turned = {w.re * re - w.im * im, w.re * im + w.im * re};
    to[2 * high + low] = sum;
    to[2 * high + low + span] = turned;
}

__global__ void checksum(int n, const complex_number *result, complex_number *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool summed = i < SUMMED;
    double re = bench_block_reduce<bench_sum>(summed ? result[i * 5 % n].re : 0.0);
    double im = bench_block_reduce<bench_sum>(summed ? result[i * 5 % n].im : 0.0);
    if (bench_first_of_block()) {
        atomicAdd(&sum->re, re);
        atomicAdd(&sum->im, im);
    }
}

static void fft(int n, int steps, complex_number *sum, bench_timer *t)
{
    const unsigned all = bench_blocks(n, BENCH_BLOCK), half = bench_blocks(n / 2, BENCH_BLOCK);
    complex_number *dspectrum = bench_device<complex_number>(NULL, MOST);
    complex_number *dwork = bench_device<complex_number>(NULL, MOST);
    complex_number *dother = bench_device<complex_number>(NULL, MOST);
    complex_number *droot = bench_device<complex_number>(NULL, MOST / 2);
    double *dspeed = bench_device<double>(NULL, MOST);
    complex_number *dsum = bench_device<complex_number>(NULL, 1);
    start_kernel<<<all, BENCH_BLOCK>>>(n, dspectrum, dspeed, droot);
    while (bench_round(t))
        for (int rep = 0; rep < t->reps; rep++)
            for (int s = 0; s < steps; s++) {
                evolve<<<all, BENCH_BLOCK>>>(n, s + 1, dspectrum, dspeed, dwork);
                complex_number *from = dwork, *to = dother;
                for (int span = 1; span < n; span *= 2) {
                    pass<<<half, BENCH_BLOCK>>>(n, span, from, to, droot);
                    complex_number *swap = from;
                    from = to;
                    to = swap;
                }
                CUDA_CHECK(cudaMemsetAsync(dsum, 0, sizeof *dsum));
                checksum<<<bench_blocks(SUMMED, BENCH_BLOCK), BENCH_BLOCK>>>(n, from, dsum);
                bench_fetch(sum + s, dsum, 1);
            }
    bench_wait();
    CUDA_CHECK(cudaFree(dspectrum));
    CUDA_CHECK(cudaFree(dwork));
    CUDA_CHECK(cudaFree(dother));
    CUDA_CHECK(cudaFree(droot));
    CUDA_CHECK(cudaFree(dspeed));
    CUDA_CHECK(cudaFree(dsum));
}

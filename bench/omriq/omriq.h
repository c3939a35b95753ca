/* Input, check and report; omriq.c, omriq_omp.c and the CUDA versions supply the computation. */
#include "../common/bench.h"

#ifndef BENCH_NAME
#define BENCH_NAME "omriq"
#endif

#define TWO_PI 6.2831853071795864769f

/* The samples of a scanner's trajectory, and the places of an image. */
typedef struct {
    const float *kx, *ky, *kz, *magnitude;
} samples;
typedef struct {
    const float *x, *y, *z;
} places;

/* The matrix Q of a magnetic resonance image: a Fourier sum over all samples for each place (the kernel mri-q of the
   Parboil suite, in words of our own). */
static void omriq(int n, int count, samples s, places p, float *real, float *imaginary, bench_timer *t);

static double serial_error(int count, samples s, places p, int i, float real, float imaginary)
{
    double re = 0.0, im = 0.0;
    for (int k = 0; k < count; k++) {
        double angle = (double)TWO_PI * ((double)s.kx[k] * p.x[i] + (double)s.ky[k] * p.y[i] + (double)s.kz[k] * p.z[i]);
        re += s.magnitude[k] * cos(angle);
        im += s.magnitude[k] * sin(angle);
    }
    return bench_worst(bench_worst(0.0, real, re, sqrt(count)), imaginary, im, sqrt(count));
}

static float *filled(int n, uint64_t seed, double low, double high)
{
    float *a = (float *)bench_alloc(n, sizeof *a);
    bench_fill_float(a, n, seed, low, high);
    return a;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 4096);
    int count = bench_arg(argc, argv, 2, 512);
    int reps = bench_arg(argc, argv, 3, 3);
    samples s = {filled(count, 1, -1.0, 1.0), filled(count, 2, -1.0, 1.0), filled(count, 3, -1.0, 1.0),
                 filled(count, 4, 0.0, 1.0)};
    places p = {filled(n, 5, -1.0, 1.0), filled(n, 6, -1.0, 1.0), filled(n, 7, -1.0, 1.0)};
    float *real = (float *)bench_alloc(n, sizeof *real), *imaginary = (float *)bench_alloc(n, sizeof *imaginary);

    bench_timer kernel = bench_timer_many(reps);
    omriq(n, count, s, p, real, imaginary, &kernel);
    memset(real, 0, n * sizeof *real);
    memset(imaginary, 0, n * sizeof *imaginary);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    omriq(n, count, s, p, real, imaginary, &once);
    double app_ms = bench_now_ms() - start;

    int stride = n <= 1024 ? 1 : n / 128, compared = 0;
    double error = 0.0;
    for (int i = n - 1; i >= 0; i -= stride, compared++)
        error = fmax(error, serial_error(count, s, p, i, real[i], imaginary[i]));
    printf("compared %d of %d places with the serial result\n", compared, n);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", n, count);
    return bench_report(BENCH_NAME, size, &kernel, app_ms, error, 1e-4);
}

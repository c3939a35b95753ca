/* Input, check and report; fft.c and fft.cu supply the computation. */
#include "../common/bench.h"

enum { MOST = 1 << 22, SUMMED = 1024 };

typedef struct {
    double re, im;
} complex_number;

/* 288 MiB of static arrays, as Fortran programs and their ports have them: a spectrum, how fast its values
 * turn, two arrays that take turns in the transform, roots of unity. */
static complex_number spectrum[MOST], work[MOST], other[MOST], root[MOST / 2];
static double speed[MOST];

/* The input, made on the device: element i of the spectrum and of the speeds. */
#define SPECTRUM_RE(i) ((double)((i) * 7 % 31) / 31.0 - 0.5)
#define SPECTRUM_IM(i) ((double)((i) * 11 % 37) / 37.0 - 0.5)
#define SPEED(i) (0.001 * ((i) % 101))

#define TWO_PI 6.28318530717958647692

/* `steps` times: the spectrum of n elements, a power of two, at that time is transformed, and some of the result summed
 * up into sum[step]. One repetition is all the steps. Everything but the sums stays on the device. */
static void fft(int n, int steps, complex_number *sum, bench_timer *t);

/* The transform of `a`, whose result is in `a` or in `b`, and given. */
static complex_number *serial_transform(int n, complex_number *a, complex_number *b)
{
    for (int span = 1; span < n; span *= 2) {
        for (int i = 0; i < n / 2; i++) {
            int low = i & (span - 1), high = i - low;
            double angle = -TWO_PI * high / n, c = cos(angle), s = sin(angle);
            complex_number x = a[i], y = a[i + n / 2];
            double re = x.re - y.re, im = x.im - y.im;
            complex_number sum = {x.re + y.re, x.im + y.im}, turned = {c * re - s * im, c * im + s * re};
            b[2 * high + low] = sum;
            b[2 * high + low + span] = turned;
        }
        complex_number *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1 << 16);
    int steps = bench_arg(argc, argv, 2, 2);
    int reps = bench_arg(argc, argv, 3, 1);
    if (n > MOST || (n & (n - 1)) != 0) {
        fprintf(stderr, "a power of two is wanted, at most %d\n", MOST);
        return 2;
    }
    complex_number *sum = (complex_number *)bench_alloc(steps, sizeof *sum);

    bench_timer kernel = bench_timer_many(reps);
    fft(n, steps, sum, &kernel);
    memset(sum, 0, steps * sizeof *sum);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    fft(n, steps, sum, &once);
    double app_ms = bench_now_ms() - start;

    /* The last step alone. */
    complex_number *a = (complex_number *)bench_alloc(n, sizeof *a);
    complex_number *b = (complex_number *)bench_alloc(n, sizeof *b);
    for (int i = 0; i < n; i++) {
        double angle = steps * SPEED(i), c = cos(angle), s = sin(angle);
        complex_number at = {c * SPECTRUM_RE(i) - s * SPECTRUM_IM(i), c * SPECTRUM_IM(i) + s * SPECTRUM_RE(i)};
        a[i] = at;
    }
    complex_number *result = serial_transform(n, a, b), want = {0.0, 0.0};
    double scale = 0.0;
    for (int i = 0; i < SUMMED; i++) {
        complex_number at = result[(long)i * 5 % n];
        want.re += at.re;
        want.im += at.im;
        scale += fabs(at.re) + fabs(at.im);
    }
    double error = bench_worst(0.0, sum[steps - 1].re, want.re, scale);
    error = bench_worst(error, sum[steps - 1].im, want.im, scale);
    printf("compared the last of %d steps with the serial result\n", steps);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", n, steps);
    int status = bench_report("fft", size, &kernel, app_ms, error, 1e-11);
    free(a);
    free(b);
    free(sum);
    return status;
}

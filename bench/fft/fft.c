/* Transforms of a spectrum that turns, in OpenACC: static arrays made with `create`, functions that find them
 * present. Passes of radix 2 from one array to another, in Stockham's order. */
#include "fft.h"

static void start(int n)
{
#pragma acc parallel loop present(spectrum, speed)
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        spectrum[i].re = SPECTRUM_RE(i);
        spectrum[i].im = SPECTRUM_IM(i);
        speed[i] = SPEED(i);
    }
#pragma acc parallel loop present(root)
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++) {
        root[i].re = cos(-TWO_PI * i / n);
        root[i].im = sin(-TWO_PI * i / n);
    }
}

/* The spectrum at time `time`. */
static void evolve(int n, int time)
{
#pragma acc parallel loop present(spectrum, speed, work)
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double c = cos(time * speed[i]), s = sin(time * speed[i]);
        work[i].re = c * spectrum[i].re - s * spectrum[i].im;
        work[i].im = c * spectrum[i].im + s * spectrum[i].re;
    }
}

static void pass(int n, int span, const complex_number *restrict from, complex_number *restrict to)
{
#pragma acc parallel loop present(from[:n], to[:n], root)
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++) {
        int low = i & (span - 1), high = i - low;
        complex_number x = from[i], y = from[i + n / 2], w = root[high];
        double re = x.re - y.re, im = x.im - y.im;
        to[2 * high + low].re = x.re + y.re;
        to[2 * high + low].im = x.im + y.im;
        to[2 * high + low + span].re = w.re * re - w.im * im;
        to[2 * high + low + span].im = w.re * im + w.im * re;
    }
}

static complex_number checksum(int n, const complex_number *result)
{
    complex_number sum;
    double re = 0.0, im = 0.0;
#pragma acc parallel loop present(result[:n]) reduction(+ : re, im)
#pragma omp parallel for reduction(+ : re, im)
    for (int i = 0; i < SUMMED; i++) {
        re += result[i * 5 % n].re;
        im += result[i * 5 % n].im;
    }
    sum.re = re;
    sum.im = im;
    return sum;
}

static void fft(int n, int steps, complex_number *sum, bench_timer *t)
{
#pragma acc data create(spectrum, work, other, root, speed)
    {
        start(n);
        while (bench_round(t))
            for (int rep = 0; rep < t->reps; rep++)
                for (int s = 0; s < steps; s++) {
                    complex_number *from = work, *to = other;
                    evolve(n, s + 1);
                    for (int span = 1; span < n; span *= 2) {
                        pass(n, span, from, to);
                        complex_number *swap = from;
                        from = to;
                        to = swap;
                    }
                    sum[s] = checksum(n, from);
                }
    }
}

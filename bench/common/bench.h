/* What all benchmark programs share: a random generator, the timer, the comparison with the serial
 * result, and the one line that tools read.
 *
 * Every program has this shape, in OpenACC and in CUDA alike:
 *
 *     static void solve(..., bench_timer *t)
 *     {
 *         // data to the device
 *         while (bench_round(t)) {
 *             for (int rep = 0; rep < t->reps; rep++) {
 *                 // launches, asynchronous where the algorithm permits
 *             }
 *             // wait for the device
 *         }
 *         // results to the host
 *     }
 *
 * Round 0 is one repetition that warms up and is not counted. BENCH_ROUNDS rounds follow; kernel_ms
 * is the median over them of the time of one repetition. `solve` is then called once more with a
 * timer that stops after round 0: that call, transfers included, is app_ms, and its result is the
 * one compared with the serial code. So a repetition must leave the same result as the one before.
 */
#ifndef BENCH_H
#define BENCH_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* clock_gettime under -std=c99 */
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_ROUNDS = 5 };

/* Random numbers: splitmix64. The same seed gives the same input on every machine. */

static inline uint64_t bench_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double bench_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(bench_random(state) >> 11) * 0x1p-53);
}

/* Uniform in 0 .. bound - 1. */
static inline int bench_below(uint64_t *state, int bound)
{
    return (int)(bench_random(state) % (uint64_t)bound);
}

static inline void bench_fill_float(float *a, long n, uint64_t seed, double low, double high)
{
    for (long i = 0; i < n; i++)
        a[i] = (float)bench_uniform(&seed, low, high);
}

static inline void bench_fill_double(double *a, long n, uint64_t seed, double low, double high)
{
    for (long i = 0; i < n; i++)
        a[i] = bench_uniform(&seed, low, high);
}

static inline void *bench_alloc(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (p == NULL) {
        fprintf(stderr, "out of memory: %zu elements of %zu bytes\n", count, size);
        exit(2);
    }
    return p;
}

/* Time. */

static inline double bench_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

typedef struct {
    int reps;    /* repetitions of the round in progress */
    int wanted;  /* repetitions of a counted round */
    int rounds;  /* counted rounds */
    int round;   /* rounds begun; the first is the warm-up */
    double start;
    double ms[BENCH_ROUNDS];
} bench_timer;

/* Warm-up and BENCH_ROUNDS rounds of `reps` repetitions. */
static inline bench_timer bench_timer_many(int reps)
{
    bench_timer t = {0, reps, BENCH_ROUNDS, 0, 0.0, {0.0}};
    return t;
}

/* One repetition, not timed. */
static inline bench_timer bench_timer_once(void)
{
    bench_timer t = {0, 1, 0, 0, 0.0, {0.0}};
    return t;
}

/* Ends the round in progress, begins the next; 0 when there is none. */
static inline int bench_round(bench_timer *t)
{
    double now = bench_now_ms();
    if (t->round >= 2)
        t->ms[t->round - 2] = (now - t->start) / t->reps;
    if (t->round > t->rounds)
        return 0;
    t->reps = t->round == 0 ? 1 : t->wanted;
    t->round++;
    t->start = bench_now_ms();
    return 1;
}

static inline double bench_median(const bench_timer *t)
{
    double v[BENCH_ROUNDS];
    memcpy(v, t->ms, sizeof v);
    for (int i = 1; i < t->rounds; i++)
        for (int j = i; j > 0 && v[j] < v[j - 1]; j--) {
            double swap = v[j];
            v[j] = v[j - 1];
            v[j - 1] = swap;
        }
    return v[t->rounds / 2];
}

/* Command line, check and report. */

static inline int bench_arg(int argc, char **argv, int index, int fallback)
{
    if (index >= argc)
        return fallback;
    int value = atoi(argv[index]);
    if (value <= 0) {
        fprintf(stderr, "argument %d: a positive number is wanted, not '%s'\n", index, argv[index]);
        exit(2);
    }
    return value;
}

/* The larger of `worst` and the error of `got` relative to `want`; values below `scale` are judged
 * as if they were that large, for what is lost by cancellation is no error of the program. */
static inline double bench_worst(double worst, double got, double want, double scale)
{
    double error = fabs(got - want) / fmax(fabs(want), scale);
    if (!(error <= worst)) /* also true of a NaN */
        worst = isnan(error) ? INFINITY : error;
    return worst;
}

/* Prints the line and gives the exit status. */
static inline int bench_report(const char *name, const char *size, const bench_timer *kernel,
                               double app_ms, double error, double tolerance)
{
    int pass = error <= tolerance;
    printf("RESULT name=%s size=%s kernel_ms=%.6f app_ms=%.3f error=%.3e check=%s tolerance=%g\n",
           name, size, bench_median(kernel), app_ms, error, pass ? "PASS" : "FAIL", tolerance);
    return pass ? 0 : 1;
}

#ifdef __CUDACC__
#define CUDA_CHECK(call)                                                                     \
    do {                                                                                     \
        cudaError_t status_ = (call);                                                        \
        if (status_ != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
            exit(2);                                                                         \
        }                                                                                    \
    } while (0)

/* Device memory holding a copy of `count` elements at `from`, or uninitialised if that is NULL. */
template <typename T>
static T *bench_device(const T *from, size_t count)
{
    T *p;
    CUDA_CHECK(cudaMalloc(&p, count * sizeof(T)));
    if (from)
        CUDA_CHECK(cudaMemcpy(p, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <typename T>
static void bench_fetch(T *to, const T *device, size_t count)
{
    CUDA_CHECK(cudaMemcpy(to, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}

/* Waits for all launches and reports what went wrong in any. */
static inline void bench_wait(void)
{
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

static inline unsigned bench_blocks(long elements, int block)
{
    return (unsigned)((elements + block - 1) / block);
}
#endif

#endif

/* Input and statistics; errors.c has what the device does. */
#include "../common/bench.h"

#define PRAGMA(...) PRAGMA_TEXT(__VA_ARGS__)
#define PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)

typedef struct scheme {
    const char *name;
    int bits;
    void (*through)(int n, const float *a, float *out);
} scheme;

typedef struct product {
    const char *held;
    void (*run)(int n, const float *a, const float *b, float *c, float most);
} product;

typedef struct simulation {
    const char *held;
    void (*run)(int n, int steps, const double *power, double *t, double *u);
} simulation;

/* A cell of HotSpot after a step; border cells take themselves for the neighbour they lack. */
#pragma acc routine seq
static double next(int n, int i, int j, double power, const double *t)
{
    double here = t[i * n + j];
    double up = i > 0 ? t[(i - 1) * n + j] : here, down = i < n - 1 ? t[(i + 1) * n + j] : here;
    double left = j > 0 ? t[i * n + j - 1] : here, right = j < n - 1 ? t[i * n + j + 1] : here;
    return here + 0.5 * (power + 0.1 * (up + down + left + right - 4.0 * here) + 0.05 * (80.0 - here));
}

/* Relative errors, of what is not zero. */
typedef struct {
    double logarithms, sum, squares, most;
    long count, inexact;
} statistics;

static void add(statistics *s, double got, double want)
{
    if (want == 0.0)
        return;
    double error = fabs(got - want) / fabs(want);
    s->count++;
    s->sum += error;
    s->squares += error * error;
    s->most = error <= s->most ? s->most : error;
    if (error > 0.0) {
        s->logarithms += log(error);
        s->inexact++;
    }
}

/* The geometric mean is that of values that are off at all. */
static void tell(const char *what, const char *held, const statistics *s)
{
    double mean = s->sum / s->count;
    printf("MEASURED\twhat=%s\theld=%s\tgeometric=%.2g\tmax=%.2g\tdeviation=%.2g\n", what, held,
           s->inexact ? exp(s->logarithms / s->inexact) : 0.0, s->most,
           isfinite(mean) ? sqrt(fmax(s->squares / s->count - mean * mean, 0.0)) : INFINITY);
}

static double normal(uint64_t *state)
{
    double u = 1.0 - bench_uniform(state, 0.0, 1.0), v = bench_uniform(state, 0.0, 1.0);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

static float sample(int which, int i, uint64_t *state)
{
    switch (which) {
    case 0: return (float)bench_uniform(state, -1.0, 1.0);
    case 1: return (float)normal(state);
    case 2: return (float)bench_uniform(state, 100.0, 101.0);
    case 3: return (float)pow(10.0, bench_uniform(state, -6.0, 6.0));
    default: return (float)(pow(10.0, i / 256 % 13 - 6) * bench_uniform(state, 0.5, 1.0));
    }
}

static const char *const distributions[] = {"uniform, -1 to 1", "normal", "one-sided, 100 to 101",
                                            "log-uniform, 12 decades", "12 decades, 256 numbers of each in turn"};

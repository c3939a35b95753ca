/* Input, check and report; ep.c and ep.cu supply the computation. */
#include "../common/bench.h"

/* Pairs of a batch; counts and sums of a batch. */
enum { PAIRS = 128, BINS = 10, SUMS = BINS + 2 };

#ifdef __CUDACC__
#define ON_DEVICE __device__ __host__
#else
#define ON_DEVICE
#endif

/* The random numbers of NAS EP: x <- 5^13 x mod 2^46. */
#define MULTIPLIER 1220703125ull
#define MASK ((1ull << 46) - 1)
#define SEED 271828183ull

/* The generator's state before number `n`. */
ON_DEVICE static inline unsigned long long state_before(unsigned long long n)
{
    unsigned long long state = SEED, power = MULTIPLIER;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            state = state * power & MASK;
        power = power * power & MASK;
    }
    return state;
}

/* Pairs of uniform numbers in (-1, 1), those inside the unit circle made into pairs of Gaussian ones. Leaves in `sums` how many
 * of these lie in each of BINS square annuli, and the sums of both. There are `blocks` times `batches` batches; scratch arrays
 * hold one block. */
static void ep(int batches, int blocks, double *sums, bench_timer *t);

static void serial(int batches, int blocks, double *sums)
{
    memset(sums, 0, SUMS * sizeof *sums);
    unsigned long long state = SEED;
    for (long pair = 0; pair < (long)batches * blocks * PAIRS; pair++) {
        state = state * MULTIPLIER & MASK;
        double x = 2.0 * ((double)state * 0x1p-46) - 1.0;
        state = state * MULTIPLIER & MASK;
        double y = 2.0 * ((double)state * 0x1p-46) - 1.0;
        double square = x * x + y * y;
        if (square <= 1.0) {
            double factor = sqrt(-2.0 * log(square) / square);
            x *= factor;
            y *= factor;
            sums[(int)fmax(fabs(x), fabs(y))] += 1.0;
            sums[BINS] += x;
            sums[BINS + 1] += y;
        }
    }
}

int main(int argc, char **argv)
{
    int batches = bench_arg(argc, argv, 1, 4096);
    int blocks = bench_arg(argc, argv, 2, 4);
    int reps = bench_arg(argc, argv, 3, 1);
    double sums[SUMS], expected[SUMS];

    bench_timer kernel = bench_timer_many(reps);
    ep(batches, blocks, sums, &kernel);
    memset(sums, 0, sizeof sums);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    ep(batches, blocks, sums, &once);
    double app_ms = bench_now_ms() - start;

    serial(batches, blocks, expected);
    double error = 0.0, spread = sqrt((double)batches * blocks * PAIRS);
    for (int l = 0; l < SUMS; l++)
        error = bench_worst(error, sums[l], expected[l], spread);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", batches, blocks);
    return bench_report("ep", size, &kernel, app_ms, error, 1e-6);
}

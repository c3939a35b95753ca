/* NAS EP in OpenACC, as it is written for CPUs: each batch has a row of `numbers` and a row of `own` for itself. */
#include "ep.h"

static void ep(int batches, int blocks, double *sums, bench_timer *t)
{
    double *numbers = bench_alloc((size_t)batches * 2 * PAIRS, sizeof *numbers);
    double *own = bench_alloc((size_t)batches * SUMS, sizeof *own);
#pragma acc data create(numbers[:batches * 2 * PAIRS], own[:batches * SUMS]) copyout(sums[:SUMS])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
            for (int l = 0; l < SUMS; l++)
                sums[l] = 0.0;
            for (int block = 0; block < blocks; block++) {
#pragma acc parallel loop gang vector async(1)
#pragma omp parallel for
                for (int k = 0; k < batches; k++) {
                    for (int l = 0; l < SUMS; l++)
                        own[k * SUMS + l] = 0.0;
                    unsigned long long batch = (unsigned long long)block * batches + k;
                    unsigned long long state = SEED, power = MULTIPLIER;
                    for (unsigned long long n = batch * 2 * PAIRS; n > 0; n >>= 1) {
                        if (n & 1)
                            state = state * power & MASK;
                        power = power * power & MASK;
                    }
                    for (int i = 0; i < 2 * PAIRS; i++) {
                        state = state * MULTIPLIER & MASK;
                        numbers[k * 2 * PAIRS + i] = (double)state * 0x1p-46;
                    }
                    double sum_x = 0.0, sum_y = 0.0;
                    for (int i = 0; i < PAIRS; i++) {
                        double x = 2.0 * numbers[k * 2 * PAIRS + 2 * i] - 1.0;
                        double y = 2.0 * numbers[k * 2 * PAIRS + 2 * i + 1] - 1.0;
                        double square = x * x + y * y;
                        if (square <= 1.0) {
                            double factor = sqrt(-2.0 * log(square) / square);
                            x *= factor;
                            y *= factor;
                            int l = (int)fmax(fabs(x), fabs(y));
                            own[k * SUMS + l] += 1.0;
                            sum_x += x;
                            sum_y += y;
                        }
                    }
                    own[k * SUMS + BINS] = sum_x;
                    own[k * SUMS + BINS + 1] = sum_y;
                }
#pragma acc parallel loop gang async(1)
                for (int l = 0; l < SUMS; l++) {
                    double sum = 0.0;
#pragma acc loop vector reduction(+ : sum)
                    for (int k = 0; k < batches; k++)
                        sum += own[k * SUMS + l];
                    sums[l] += sum;
                }
            }
        }
#pragma acc wait
    }
    free(numbers);
    free(own);
}

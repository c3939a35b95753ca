// A region with loops, single, master, barrier and critical in it: one host thread runs it, and its loops are kernels.
// expect: launches=8
#include "../check.h"

#define N 1003
#define BINS 16

static double x[N], y[N], bins[BINS];
static int bin[N];

static void region(void)
{
    int i, k, step, flag = 0, ones = 0;
    double sum = 0, most = -1, own = 5, total = 0;
#pragma omp parallel private(i, k, own, step) shared(sum) reduction(+ : total)
    {
        double bins_here[BINS], most_here = -1e30;
        double factor = 2.5;
        int ones_here = 0;
        for (i = 0; i < BINS; i++)
            bins_here[i] = 0.0;
        own = 3;
        for (step = 0; step < 3; step++) {
#pragma omp for nowait
            for (i = 0; i < N; i++) {
                double z = i * factor;
                x[i] = z + own;
                bin[i] = (i * 7) % BINS;
            }
#pragma omp barrier
#pragma omp single
            {
                sum = 0;
            }
#pragma omp for reduction(+ : sum) private(k) schedule(dynamic, 8)
            for (i = 0; i < N; i++) {
                for (k = 0; k < 3; k++)
                    sum += x[i];
                y[i] = x[i] * step;
                total += 1;
            }
#pragma omp master
            ones = 1;
            own = own + 1;
        }
#pragma omp for
        for (i = 0; i < N; i++) {
            bins_here[bin[i]] += x[i];
            if (x[i] > most_here)
                most_here = x[i];
            ones_here++;
            if (x[i] == 505)
                flag = 1;
        }
#pragma omp critical
        {
            for (k = 0; k < BINS; k++)
                bins[k] += bins_here[k];
            if (most_here > most)
                most = most_here;
            ones += ones_here;
        }
    }
    double want_sum = 0, want_bins[BINS] = {0};
    for (i = 0; i < N; i++) {
        double value = i * 2.5 + 5;
        check_near("x", i, x[i], value, 1e-12);
        check_near("y", i, y[i], 2 * value, 1e-12);
        want_sum += 3 * value;
        want_bins[(i * 7) % BINS] += value;
    }
    check_near("sum", 0, sum, want_sum, 1e-12);
    for (k = 0; k < BINS; k++)
        check_near("bins", k, bins[k], want_bins[k], 1e-12);
    check_near("most", 0, most, (N - 1) * 2.5 + 5, 1e-12);
    check_int("total", 0, (int)total, 3 * N);
    check_int("ones", 0, ones, N + 1);
    check_int("flag", 0, flag, 1);
    check_near("own", 0, own, 5, 0);
}

static void own_values(int n)
{
    int first = 7, scratch[4];
#pragma omp parallel firstprivate(first) private(scratch) if (n > 10)
    {
        first = first * 2;
#pragma omp for
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 4; k++)
                scratch[k] = i + k;
            y[i] = scratch[1] + scratch[3] + first;
        }
    }
    for (int i = 0; i < N; i++)
        check_near("own values", i, y[i], 2 * i + 4 + 14, 0);
    check_int("first", 0, first, 7);
}

int main(void)
{
    region();
    own_values(11);
    own_values(10);
    return finish();
}

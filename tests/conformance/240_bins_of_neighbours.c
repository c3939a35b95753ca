// Atomic updates of elements that data choose: neighbouring threads often have the same one, or all of them, or none has another's.
// Every operator and type gives what one thread would; where a kernel looks at an element in between, it sees its own update.
// expect: launches=7
#include "check.h"
#include <stdlib.h>

#define N 20011
#define MOST 8192

static int bin(int i, int bins)
{
    return (int)((i * 2654435761u >> 7) % (unsigned)bins);
}

static void fill(int *where, int bins)
{
    for (int i = 0; i < N; i++)
        where[i] = bins == 32 ? i % 64 / 2 : bin(i, bins);
}

static void several(const int *where, int n, int bins)
{
    static int plus[MOST], minus[MOST], least[MOST], greatest[MOST];
    static unsigned both[MOST], either[MOST], one[MOST];
    static long long wide[MOST];
    static float floats[MOST];
    static double doubles[MOST], products[MOST];
    static short narrow[MOST];
    for (int k = 0; k < bins; k++) {
        plus[k] = minus[k] = narrow[k] = 0;
        least[k] = 1000000;
        greatest[k] = -1000000;
        both[k] = ~0u;
        either[k] = one[k] = 0;
        wide[k] = 0;
        floats[k] = 0;
        doubles[k] = 0;
        products[k] = 1;
    }
#pragma acc parallel loop copyin(where[0:n]) copy(plus, minus, least, greatest, both, either, one, wide, floats, doubles, products, narrow)
    for (int i = 0; i < n; i++) {
        int k = where[i];
        if (i % 3 != 1) {
#pragma acc atomic update
            plus[k] += i % 17;
        }
#pragma acc atomic update
        minus[k] -= i % 5;
#pragma acc atomic update
        least[k] = least[k] < i * 7 % 4096 ? least[k] : i * 7 % 4096;
#pragma acc atomic update
        both[k] &= ~(1u << i % 31);
#pragma acc atomic update
        either[k] |= 1u << i % 29;
#pragma acc atomic update
        one[k] ^= 1u << i % 27;
#pragma acc atomic update
        wide[k] += 5000000000LL + i;
#pragma acc atomic update
        floats[k] += 0.25f * (i % 8);
#pragma acc atomic update
        doubles[k] -= 0.5 * (i % 8);
#pragma acc atomic update
        products[k] *= i % 64 ? 1.0 : 2.0;
#pragma acc atomic update
        narrow[k] += 1;
    }
    int *want = calloc(bins, 12 * sizeof(int));
    unsigned *w_both = malloc(3 * bins * sizeof(unsigned)), *w_either = w_both + bins, *w_one = w_either + bins;
    long long *w_wide = calloc(bins, sizeof(long long));
    double *w_sums = calloc(bins, 3 * sizeof(double));
    int *w_minus = want + bins, *w_least = w_minus + bins, *w_narrow = w_least + bins;
    for (int k = 0; k < bins; k++) {
        w_least[k] = 1000000;
        w_both[k] = ~0u;
        w_either[k] = w_one[k] = 0;
        w_sums[2 * bins + k] = 1;
    }
    for (int i = 0; i < n; i++) {
        int k = where[i];
        if (i % 3 != 1)
            want[k] += i % 17;
        w_minus[k] -= i % 5;
        w_least[k] = w_least[k] < i * 7 % 4096 ? w_least[k] : i * 7 % 4096;
        w_both[k] &= ~(1u << i % 31);
        w_either[k] |= 1u << i % 29;
        w_one[k] ^= 1u << i % 27;
        w_wide[k] += 5000000000LL + i;
        w_sums[k] += 0.25 * (i % 8);
        w_sums[bins + k] -= 0.5 * (i % 8);
        w_sums[2 * bins + k] *= i % 64 ? 1.0 : 2.0;
        w_narrow[k]++;
    }
    for (int k = 0; k < bins; k++) {
        check_int("plus", k, plus[k], want[k]);
        check_int("minus", k, minus[k], w_minus[k]);
        check_int("least", k, least[k], w_least[k]);
        check_int("both", k, both[k], w_both[k]);
        check_int("either", k, either[k], w_either[k]);
        check_int("one", k, one[k], w_one[k]);
        check_int("wide", k, wide[k], w_wide[k]);
        check_near("floats", k, floats[k], w_sums[k], 1e-6);
        check_near("doubles", k, doubles[k], w_sums[bins + k], 1e-6);
        check_near("products", k, products[k] / w_sums[2 * bins + k], 1.0, 1e-6);
        check_int("narrow", k, narrow[k], (short)w_narrow[k]);
    }
    free(want), free(w_both), free(w_wide), free(w_sums);
}

int main(void)
{
    int *where = malloc(N * sizeof(int));
    int sizes[] = {1, 5, 32, 100, MOST};
    for (int s = 0; s < 5; s++) {
        fill(where, sizes[s]);
        several(where, s == 3 ? 77 : N, sizes[s]);
    }

    // Each iteration has an element of its own, in an order that data choose, and reads it after its update.
    int *own = calloc(N, sizeof(int)), *seen = calloc(N, sizeof(int));
    for (int i = 0; i < N; i++)
        where[i] = (i * 7919) % N;
#pragma acc parallel loop copyin(where[0:N]) copy(own[0:N], seen[0:N])
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        own[where[i]] += i + 1;
        seen[i] = own[where[i]];
    }
    for (int i = 0; i < N; i++)
        check_int("seen", i, seen[i], i + 1);

    // What a thread reads atomically of a bin has its own update in it.
    int counts[4] = {0}, early = 0;
#pragma acc parallel loop copyin(where[0:N]) copy(counts) reduction(+ : early)
    for (int i = 0; i < N; i++) {
        int now;
#pragma acc atomic update
        counts[where[i] % 4] += 1;
#pragma acc atomic read
        now = counts[where[i] % 4];
        early += now < 1;
    }
    check_int("early", 0, early, 0);
    check_int("counts", 0, counts[0] + counts[1] + counts[2] + counts[3], N);
    return finish();
}

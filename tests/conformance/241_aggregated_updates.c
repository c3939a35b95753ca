// Many atomic updates of few elements, of as many as a block's table has, and of more: sums, extrema and bits, several arrays and
// types at once, nests of two loops, and elements behind pointers that lie in memory.
// expect: launches=20
#include "check.h"
#include <stdlib.h>

#define N 1200007
#define MOST 70000

static unsigned value(int i)
{
    return (unsigned)i * 2654435761u >> 3;
}

static void counts(const unsigned *x, int n, int bins)
{
    int *count = calloc(bins, sizeof(int)), *want = calloc(bins, sizeof(int));
    float *sum = calloc(bins, sizeof(float));
    double *wide = calloc(bins, sizeof(double));
#pragma acc parallel loop copyin(x[0:n]) copy(count[0:bins], sum[0:bins])
    for (int i = 0; i < n; i++) {
        if (x[i] % 7 == 3)
            continue;
#pragma acc atomic update
        count[x[i] % bins]++;
#pragma acc atomic update
        sum[x[i] % bins] += 0.5f;
    }
#pragma acc parallel loop copyin(x[0:n]) copy(wide[0:bins])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        wide[x[i] % bins] -= 0.25;
    }
    double *all = calloc(bins, sizeof(double));
    for (int i = 0; i < n; i++) {
        want[x[i] % bins] += x[i] % 7 != 3;
        all[x[i] % bins] -= 0.25;
    }
    for (int k = 0; k < bins; k++) {
        check_int("count", k, count[k], want[k]);
        check_near("sum", k, sum[k], 0.5 * want[k], 1e-6);
        check_near("wide", k, wide[k], all[k], 1e-9);
    }
    free(count), free(want), free(sum), free(wide), free(all);
}

static void extrema(const unsigned *x, int n, int bins)
{
    int *least = malloc(bins * sizeof(int)), *greatest = malloc(bins * sizeof(int));
    unsigned *bits = malloc(bins * sizeof(unsigned));
    long long *total = malloc(bins * sizeof(long long));
    for (int k = 0; k < bins; k++) {
        least[k] = 1 << 30;
        greatest[k] = -5;
        bits[k] = ~0u;
        total[k] = k;
    }
#pragma acc parallel loop copyin(x[0:n]) copy(least[0:bins], greatest[0:bins], bits[0:bins], total[0:bins])
    for (int i = 0; i < n; i++) {
        int k = x[i] % bins, v = x[i] / 16 % 100003;
#pragma acc atomic update
        least[k] = least[k] < v ? least[k] : v;
#pragma acc atomic update
        greatest[k] = greatest[k] > v ? greatest[k] : v;
#pragma acc atomic update
        bits[k] &= ~(1u << v % 29);
#pragma acc atomic update
        total[k] += 3000000000LL;
    }
    int *w_least = malloc(bins * sizeof(int)), *w_greatest = malloc(bins * sizeof(int));
    unsigned *w_bits = malloc(bins * sizeof(unsigned));
    long long *w_total = malloc(bins * sizeof(long long));
    for (int k = 0; k < bins; k++) {
        w_least[k] = 1 << 30;
        w_greatest[k] = -5;
        w_bits[k] = ~0u;
        w_total[k] = k;
    }
    for (int i = 0; i < n; i++) {
        int k = x[i] % bins, v = x[i] / 16 % 100003;
        w_least[k] = w_least[k] < v ? w_least[k] : v;
        w_greatest[k] = w_greatest[k] > v ? w_greatest[k] : v;
        w_bits[k] &= ~(1u << v % 29);
        w_total[k] += 3000000000LL;
    }
    for (int k = 0; k < bins; k++) {
        check_int("least", k, least[k], w_least[k]);
        check_int("greatest", k, greatest[k], w_greatest[k]);
        check_int("bits", k, bits[k], w_bits[k]);
        check_int("total", k, total[k], w_total[k]);
    }
    free(least), free(greatest), free(bits), free(total), free(w_least), free(w_greatest), free(w_bits), free(w_total);
}

// Points of rows add to the ends of edges, and to rows of a table behind pointers.
static void nest(const unsigned *x, int rows, int columns)
{
    static int ends[512];
    static float storage[5][33], *table[5];
    for (int k = 0; k < 512; k++)
        ends[k] = 0;
    for (int k = 0; k < 5; k++) {
        table[k] = storage[k];
        for (int j = 0; j < 33; j++)
            table[k][j] = 0;
    }
#pragma acc enter data copyin(storage, table)
    for (int k = 0; k < 5; k++) {
#pragma acc enter data attach(table[k])
    }
#pragma acc parallel loop collapse(2) copyin(x[0:rows * columns]) copy(ends) present(table)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            unsigned v = x[i * columns + j];
#pragma acc atomic update
            ends[v % 512] += 1;
#pragma acc atomic update
            ends[(v + j) % 512] += 2;
#pragma acc atomic update
            table[v % 5][v / 5 % 33] += 1.0f;
        }
#pragma acc exit data delete(table) copyout(storage)
    static int w_ends[512], w_table[5][33];
    for (int k = 0; k < 512; k++)
        w_ends[k] = 0;
    for (int k = 0; k < 5 * 33; k++)
        w_table[k / 33][k % 33] = 0;
    for (int i = 0; i < rows * columns; i++) {
        w_ends[x[i] % 512] += 1;
        w_ends[(x[i] + i % columns) % 512] += 2;
        w_table[x[i] % 5][x[i] / 5 % 33]++;
    }
    for (int k = 0; k < 512; k++)
        check_int("ends", k, ends[k], w_ends[k]);
    for (int k = 0; k < 5 * 33; k++)
        check_int("table", k, (int)storage[k / 33][k % 33], w_table[k / 33][k % 33]);
}

int main(void)
{
    unsigned *x = malloc(N * sizeof(unsigned));
    for (int i = 0; i < N; i++)
        x[i] = value(i);
    int sizes[] = {1, 10, 1024, 1500, MOST};
    for (int k = 0; k < 5; k++) {
        counts(x, N, sizes[k]);
        extrema(x, N, sizes[k]);
    }
    counts(x, 333, 10);
    nest(x, 1009, 1189);
    nest(x, 3, 5);

    // Each iteration reads its own element after its update, by another name of the array.
    int *own = calloc(N, sizeof(int)), *alias = own, *seen = calloc(N, sizeof(int));
#pragma acc parallel loop copyin(x[0:N]) copy(own[0:N], seen[0:N])
    for (int i = 0; i < N; i++) {
        unsigned k = (unsigned)((long long)i * 1000003 % N);
#pragma acc atomic update
        own[k] += i + 1;
        seen[i] = alias[k];
    }
    for (int i = 0; i < N; i++)
        check_int("seen", i, seen[i], i + 1);
    return finish();
}

/* Input and check of SPMUL: a sparse matrix in compressed rows of uneven length, multiplied again and again. */
#include "../frame.h"

static int rows, steps, *start, *column;
static double *value, *x, *y;

static int length_of(int i) { return 3 + (i * 7) % 23; }

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_spmul", "", bench_arg(argc, argv, 3, 1), 1e-9};
    int i, entries = 0;
    rows = bench_arg(argc, argv, 1, 10000);
    steps = bench_arg(argc, argv, 2, 5);
    for (i = 0; i < rows; i++)
        entries += length_of(i);
    start = (int *)bench_alloc(rows + 1, sizeof *start);
    column = (int *)bench_alloc(entries, sizeof *column);
    value = (double *)bench_alloc(entries, sizeof *value);
    x = (double *)bench_alloc(rows, sizeof *x);
    y = (double *)bench_alloc(rows, sizeof *y);
    snprintf(facts.size, sizeof facts.size, "%dx%d", rows, steps);
    return facts;
}

LINKAGE void input(void)
{
    int i, k, at = 0;
    for (i = 0; i < rows; i++) {
        start[i] = at;
        x[i] = 1.0 + i % 3;
        for (k = 0; k < length_of(i); k++, at++) {
            column[at] = (int)(((unsigned)i + (unsigned)k * 131u + (k > 9 ? (unsigned)i * 31u : 0u)) % (unsigned)rows);
            value[at] = (1.0 + k % 4) / (2.5 * length_of(i));
        }
    }
    start[rows] = at;
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += x[i];
    return sum;
}

LINKAGE double check(void)
{
    double error = 0, *got = (double *)bench_alloc(rows, sizeof *got);
    memcpy(got, x, rows * sizeof *got);
    input();
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        memcpy(x, y, rows * sizeof *x);
    }
    for (int i = 0; i < rows; i++)
        error = bench_worst(error, got[i], x[i], 1e-3);
    free(got);
    return error;
}

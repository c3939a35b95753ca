/* Input, check and report; cg.c and cg.cu supply the computation. */
#include "../common/bench.h"

/* A square matrix in compressed sparse rows. */
typedef struct {
    int rows, nonzeros;
    const int *begin, *column;
    const double *value;
} matrix;

/* `steps` steps of the conjugate gradient method for a x = b, from x = 0. Returns the square of the
 * residual's norm. One repetition is all the steps. */
static double cg(matrix a, int steps, const double *b, double *x, bench_timer *t);

static double serial(matrix a, int steps, const double *b, double *x)
{
    double *memory = (double *)bench_alloc((size_t)3 * a.rows, sizeof *memory);
    double *r = memory, *p = memory + a.rows, *q = memory + 2 * (size_t)a.rows, rho = 0.0;
    for (int i = 0; i < a.rows; i++) {
        x[i] = 0.0;
        r[i] = p[i] = b[i];
        rho += b[i] * b[i];
    }
    for (int step = 0; step < steps; step++) {
        double pq = 0.0, next = 0.0;
        for (int i = 0; i < a.rows; i++) {
            double sum = 0.0;
            for (int k = a.begin[i]; k < a.begin[i + 1]; k++)
                sum += a.value[k] * p[a.column[k]];
            q[i] = sum;
            pq += p[i] * sum;
        }
        double alpha = rho / pq;
        for (int i = 0; i < a.rows; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            next += r[i] * r[i];
        }
        double beta = next / rho;
        rho = next;
        for (int i = 0; i < a.rows; i++)
            p[i] = r[i] + beta * p[i];
    }
    free(memory);
    return rho;
}

int main(int argc, char **argv)
{
    int side = bench_arg(argc, argv, 1, 32);
    int steps = bench_arg(argc, argv, 2, 20);
    int reps = bench_arg(argc, argv, 3, 1);
    /* A cube of side^3 points, each tied to its up to 26 neighbours with weights of its own that
     * are symmetric, and a diagonal that exceeds their sum. */
    int rows = side * side * side, nonzeros = 0;
    int *begin = (int *)bench_alloc((size_t)rows + 1, sizeof *begin);
    int *column = (int *)bench_alloc((size_t)rows * 27, sizeof *column);
    double *value = (double *)bench_alloc((size_t)rows * 27, sizeof *value);
    for (int i = 0; i < rows; i++) {
        int z = i / (side * side), y = i / side % side, x = i % side, diagonal = 0;
        double sum = 0.0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (z + dz < 0 || z + dz >= side || y + dy < 0 || y + dy >= side ||
                        x + dx < 0 || x + dx >= side)
                        continue;
                    int j = i + (dz * side + dy) * side + dx;
                    if (j == i)
                        diagonal = nonzeros;
                    else {
                        value[nonzeros] = -0.5 - (i + j) % 7 * 0.125;
                        sum -= value[nonzeros];
                    }
                    column[nonzeros++] = j;
                }
        value[diagonal] = sum * 1.001;
        begin[i + 1] = nonzeros;
    }
    matrix a = {rows, nonzeros, begin, column, value};
    double *b = (double *)bench_alloc(rows, sizeof *b);
    double *x = (double *)bench_alloc(rows, sizeof *x);
    double *expected = (double *)bench_alloc(rows, sizeof *expected);
    bench_fill_double(b, rows, 1, -1.0, 1.0);

    bench_timer kernel = bench_timer_many(reps);
    cg(a, steps, b, x, &kernel);
    memset(x, 0, rows * sizeof *x);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    double residual = cg(a, steps, b, x, &once);
    double app_ms = bench_now_ms() - start;

    double error = bench_worst(0.0, sqrt(residual), sqrt(serial(a, steps, b, expected)), 1.0);
    double largest = 0.0;
    for (int i = 0; i < rows; i++)
        largest = fmax(largest, fabs(expected[i]));
    for (int i = 0; i < rows; i++)
        error = bench_worst(error, x[i], expected[i], largest);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", rows, steps);
    int status = bench_report("cg", size, &kernel, app_ms, error, 1e-9);
    free(begin);
    free(column);
    free(value);
    free(b);
    free(x);
    free(expected);
    return status;
}

/* Arrays and scalars of threads that any file could name, in a program of one file: several loops have them as scratch memory.
   Clocks that the first thread alone sets, in a `master` block, are its own. */
// expect: launches=6
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

enum { SIZE = 30, BLOCKS = 40 };
double u[BLOCKS][SIZE][5], rhs[BLOCKS][SIZE][5];
double jacobian[SIZE + 1][5][5], lhs[SIZE + 1][3][5], line[SIZE + 1], tmp1, tmp2;
#pragma omp threadprivate(jacobian, lhs, line, tmp1, tmp2)
double started[4], elapsed[4];
int laps;
#pragma omp threadprivate(started, elapsed, laps)
int kept;
#pragma omp threadprivate(kept)

static void timer_start(int n) { started[n] = omp_get_wtime(); }
static void timer_stop(int n)
{
    elapsed[n] += omp_get_wtime() - started[n];
    laps++;
}

void fill(double of[3][5], double with)
{
    for (int m = 0; m < 5; m++)
        of[0][m] = of[1][m] = of[2][m] = with;
}

void along(void)
{
    int k, i, m;
#pragma omp parallel for private(i, m)
    for (k = 0; k < BLOCKS; k++) {
        for (i = 0; i < SIZE; i++) {
            tmp1 = 1.0 / (1.0 + u[k][i][0]);
            tmp2 = tmp1 * tmp1;
            for (m = 0; m < 5; m++)
                jacobian[i][m][m] = tmp1 + m * tmp2;
            fill(lhs[i], tmp2);
        }
        for (i = 1; i < SIZE; i++)
            for (m = 0; m < 5; m++)
                rhs[k][i][m] = jacobian[i][m][m] - jacobian[i - 1][m][m] + lhs[i][1][m];
    }
}

void across(void)
{
    int k, i, m;
#pragma omp parallel for private(i, m)
    for (k = 0; k < BLOCKS; k++) {
        for (i = 0; i < SIZE; i++) {
            tmp1 = rhs[k][i][1];
            for (m = 0; m < 5; m++)
                jacobian[i][m][m] = 2.0 * tmp1 + m;
            line[i] = jacobian[i][4][4];
        }
        for (i = 1; i < SIZE; i++)
            for (m = 0; m < 5; m++)
                u[k][i][m] += 0.5 * (line[i] - line[i - 1]) + 0.25 * jacobian[i][m][m];
    }
}

/* `master` sets the first thread's clocks; what it left there is read by it again. */
void timed(int on)
{
    int k, i;
#pragma omp parallel private(k, i)
    {
#pragma omp master
        if (on)
            timer_start(1);
#pragma omp for
        for (k = 0; k < BLOCKS; k++)
            for (i = 0; i < SIZE; i++)
                rhs[k][i][0] = 0.125 * u[k][i][0];
#pragma omp master
        if (on)
            timer_stop(1);
    }
}

/* Each thread sets its own: that stays with the threads, whose copies the next region asks for. */
int sum_of_kept(int threads)
{
    int sum = 0;
#pragma omp parallel num_threads(threads)
    kept = omp_get_thread_num() + 1;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += kept;
    return sum;
}

/* One thread of a loop sets what another loop reads: not scratch memory. */
double handed_on[8];
#pragma omp threadprivate(handed_on)
double static_pairs(double *of, int n)
{
    double sum = 0.0;
    int i;
#pragma omp parallel for schedule(static)
    for (i = 0; i < n; i++)
        handed_on[i % 8] = of[i];
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (i = 0; i < n; i++)
        if (i >= n - 8 || handed_on[0] < 0)
            sum += handed_on[i % 8];
    return sum;
}

static void reference(double (*u)[SIZE][5], double (*rhs)[SIZE][5])
{
    double diagonal[SIZE][5], other[SIZE], ends[SIZE];
    for (int k = 0; k < BLOCKS; k++) {
        for (int i = 0; i < SIZE; i++) {
            double a = 1.0 / (1.0 + u[k][i][0]);
            ends[i] = a * a;
            for (int m = 0; m < 5; m++)
                diagonal[i][m] = a + m * a * a;
        }
        for (int i = 1; i < SIZE; i++)
            for (int m = 0; m < 5; m++)
                rhs[k][i][m] = diagonal[i][m] - diagonal[i - 1][m] + ends[i];
        for (int i = 0; i < SIZE; i++) {
            for (int m = 0; m < 5; m++)
                diagonal[i][m] = 2.0 * rhs[k][i][1] + m;
            other[i] = diagonal[i][4];
        }
        for (int i = 1; i < SIZE; i++)
            for (int m = 0; m < 5; m++)
                u[k][i][m] += 0.5 * (other[i] - other[i - 1]) + 0.25 * diagonal[i][m];
        for (int i = 0; i < SIZE; i++)
            rhs[k][i][0] = 0.125 * u[k][i][0];
    }
}

int main(void)
{
    double(*v)[SIZE][5] = calloc(BLOCKS, sizeof *v), (*r)[SIZE][5] = calloc(BLOCKS, sizeof *r);
    for (int k = 0; k < BLOCKS; k++)
        for (int i = 0; i < SIZE; i++)
            for (int m = 0; m < 5; m++)
                v[k][i][m] = u[k][i][m] = 0.01 * ((k + 3 * i + m) % 11);
    for (int step = 0; step < 2; step++) {
        along();
        across();
        timed(step);
        reference(v, r);
    }
    for (int k = 0; k < BLOCKS; k++)
        for (int i = 0; i < SIZE; i++)
            for (int m = 0; m < 5; m++) {
                check_near("u", (k * SIZE + i) * 5 + m, u[k][i][m], v[k][i][m], 1e-12);
                check_near("rhs", (k * SIZE + i) * 5 + m, rhs[k][i][m], r[k][i][m], 1e-12);
            }
    check_int("laps", 0, laps, 1);
    check_true("elapsed", elapsed[1] >= 0.0 && elapsed[1] < 600.0);
    int threads = omp_get_max_threads();
    omp_set_dynamic(0);
    check_int("kept", 0, sum_of_kept(threads), threads * (threads + 1) / 2);
    double of[64];
    for (int i = 0; i < 64; i++)
        of[i] = i;
    static_pairs(of, 64);
    return finish();
}

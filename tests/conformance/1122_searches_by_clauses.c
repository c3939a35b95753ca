// Searches with a place in loops that directives give to workers and lanes: a vector loop, a worker loop around sequential and around vector
// loops, one that counts by three, a clause that names the best value alone, two searches in one loop, and loops of a kernels construct.
// expect: launches=13
#include "check.h"
#include <float.h>

#define ROWS 29
#define N 300
#define W 20

static double a[ROWS * N], best_of[ROWS], most_of[ROWS];
static int at_of[ROWS], row_of[ROWS], last_of[ROWS];

static void check(const char *what, double start, int from, int step, int last)
{
    for (int i = 0; i < ROWS; i++) {
        double best = start;
        int at = -7;
        for (int j = from; j < N; j += step)
            if (last ? a[i * N + j] <= best : a[i * N + j] < best) {
                best = a[i * N + j];
                at = j;
            }
        check_near(what, i, best_of[i], best, 0);
        check_int(what, i, at_of[i], at);
        best_of[i] = at_of[i] = -99;
    }
}

static void by_lanes(double start)
{
#pragma acc parallel loop gang copyin(a) copyout(best_of, at_of)
    for (int i = 0; i < ROWS; i++) {
        double best = start;
        int at = -7;
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            if (a[i * N + j] < best) {
                best = a[i * N + j];
                at = j;
            }
        best_of[i] = best;
        at_of[i] = at;
    }
}

static void by_lanes_by_three(double start, int from, int step)
{
#pragma acc parallel loop gang copyin(a) copyout(best_of, at_of) vector_length(64)
    for (int i = 0; i < ROWS; i++) {
        double best = start;
        int at = -7, j;
#pragma acc loop vector
        for (j = from; j < N; j += step) {
            if (j % 2 && a[i * N + j] > 3)
                continue;
            if (a[i * N + j] <= best) {
                best = a[i * N + j];
                at = j;
            }
        }
        best_of[i] = best;
        at_of[i] = at;
    }
}

// A clause for the best value alone says too little: each lane would begin anew, and the place be that of any lane.
static void named(double start)
{
#pragma acc parallel loop gang copyin(a) copyout(best_of, at_of)
    for (int i = 0; i < ROWS; i++) {
        double best = start;
        int at = -7;
#pragma acc loop vector reduction(min : best)
        for (int j = 0; j < N; j++)
            if (a[i * N + j] < best) {
                best = a[i * N + j];
                at = j;
            }
        best_of[i] = best;
        at_of[i] = at;
    }
}

static void by_workers(void)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(a) copyout(best_of, at_of, row_of)
    for (int i = 0; i < ROWS; i++) {
        double best = DBL_MAX;
        int row = -1, column = -1;
#pragma acc loop worker
        for (int r = 0; r < N / W; r++)
            for (int c = 0; c < W; c++)
                if (a[i * N + r * W + c] < best) {
                    best = a[i * N + r * W + c];
                    row = r;
                    column = c;
                }
        best_of[i] = best;
        row_of[i] = row;
        at_of[i] = column;
    }
}

static void by_workers_and_lanes(void)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(a) copyout(best_of, at_of, row_of)
    for (int i = 0; i < ROWS; i++) {
        double best = DBL_MAX;
        int row = -1, column = -1;
#pragma acc loop worker
        for (int r = 0; r < N / W; r++) {
#pragma acc loop vector
            for (int c = 0; c < W; c++)
                if (a[i * N + r * W + c] < best) {
                    best = a[i * N + r * W + c];
                    row = r;
                    column = c;
                }
        }
        best_of[i] = best;
        row_of[i] = row;
        at_of[i] = column;
    }
}

static void check_rows(const char *what)
{
    for (int i = 0; i < ROWS; i++)
        at_of[i] = row_of[i] * W + at_of[i];
    check(what, DBL_MAX, 0, 1, 0);
}

// The smallest and the largest, and the last place of a value, which is no search: it goes with them.
static void both(void)
{
#pragma acc parallel loop gang copyin(a) copyout(best_of, at_of, most_of, row_of, last_of)
    for (int i = 0; i < ROWS; i++) {
        double least = a[i * N], most = a[i * N];
        int at = 0, top = 0, last = -1;
#pragma acc loop vector
        for (int j = 1; j < N; j++) {
            if (a[i * N + j] < least) {
                least = a[i * N + j];
                at = j;
            }
            if (most <= a[i * N + j]) {
                most = a[i * N + j];
                top = j;
            }
            if (a[i * N + j] == 1.5)
                last = j;
        }
        best_of[i] = least;
        at_of[i] = at;
        most_of[i] = most;
        row_of[i] = top;
        last_of[i] = last;
    }
}

static void in_kernels(int n)
{
#pragma acc kernels copyin(a) copyout(best_of, at_of)
    for (int i = 0; i < n; i++) {
        double best = DBL_MAX;
        int at = -7;
        for (int j = 0; j < N; j++)
            if (a[i * N + j] < best) {
                best = a[i * N + j];
                at = j;
            }
        best_of[i] = best;
        at_of[i] = at;
    }
}

int main(void)
{
    for (int k = 0; k < ROWS * N; k++)
        a[k] = (k * 7919 % 53 - 25) * 0.5;
    by_lanes(DBL_MAX);
    check("lanes", DBL_MAX, 0, 1, 0);
    by_lanes(-20);
    check("none", -20, 0, 1, 0);
    named(DBL_MAX);
    check("clause", DBL_MAX, 0, 1, 0);
    // Nothing in the row is as small as what the search begins with.
    named(-20);
    check("clause, none", -20, 0, 1, 0);
    for (int from = 0; from < 6; from += 5) {
        by_lanes_by_three(DBL_MAX, from, 3);
        for (int i = 0; i < ROWS; i++) {
            double best = DBL_MAX;
            int at = -7;
            for (int j = from; j < N; j += 3)
                if (a[i * N + j] <= best) {
                    best = a[i * N + j];
                    at = j;
                }
            check_near("by three", i, best_of[i], best, 0);
            check_int("by three", i, at_of[i], at);
        }
    }
    by_workers();
    check_rows("workers");
    by_workers_and_lanes();
    check_rows("workers and lanes");
    for (int turn = 0; turn < 2; turn++) {
        both();
        for (int i = 0; i < ROWS; i++) {
            double most = a[i * N];
            int top = 0, last = -1;
            for (int j = 1; j < N; j++) {
                if (a[i * N + j] >= most)
                    most = a[i * N + j], top = j;
                if (a[i * N + j] == 1.5)
                    last = j;
            }
            check_near("most", i, most_of[i], most, 0);
            check_int("its place", i, row_of[i], top);
            check_int("last", i, last_of[i], last);
        }
        check("both", DBL_MAX, 0, 1, 0);
        for (int k = 0; k < ROWS * N; k++)
            a[k] = k % 97 < 50 ? 1.5 : 2;
    }
    in_kernels(ROWS);
    check("kernels", DBL_MAX, 0, 1, 0);
    for (int k = 0; k < ROWS * N; k++)
        a[k] = -(k * 7919 % 53);
    in_kernels(ROWS);
    check("kernels again", DBL_MAX, 0, 1, 0);
    in_kernels(ROWS);
    in_kernels(0);
    return finish();
}

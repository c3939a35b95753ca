/* Functions that a region's threads call ask whether the first thread runs them, as NAS benchmarks do around their clocks. Small
   tables on the stack, read with constant subscripts, are copied by each launch. */
// expect: launches=10
// expect-remark: it calls `omp_get_thread_num`
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 500 };
static double u[N], r[N], v[N];
static int marks, seen;

static int is_first(void)
{
    int id = omp_get_thread_num();
    return id == 0;
}

static void smooth(const double c[4], int n)
{
    int i, thread_id;
    thread_id = omp_get_thread_num();
    if (thread_id == 0)
        marks++;
#pragma omp for
    for (i = 1; i < n - 1; i++)
        u[i] = c[0] * r[i] + c[1] * (r[i - 1] + r[i + 1]) + (i % 2 ? c[3] : 0.0);
    if (0 != thread_id)
        seen = 1;
#pragma omp for
    for (i = 0; i < n; i++)
        r[i] = 0.5 * u[i] + 0.125;
    if (is_first())
        marks++;
}

/* A thread's number that divides work stays with the threads, in a function, too; and so does one that a loop asks for. */
static void by_hand(double *to, int n)
{
    int id = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = id; i < n; i += all)
        to[i] = 3.0 * i;
}

static int of_thread(void) { return omp_get_thread_num() == 0; }

static void in_a_loop(double *to, int n)
{
    int i;
#pragma omp for
    for (i = 0; i < n; i++)
        to[i] = of_thread() ? 1.0 : 1.0;
}

/* One subscript is no constant: the table's length is not known. */
static double unknown_length(const double *c, int k, int n)
{
    double sum = 0.0;
    int i;
#pragma omp parallel for reduction(+ : sum)
    for (i = 0; i < n; i++)
        sum += c[0] + c[k] * v[i];
    return sum;
}

static double flags(const int *on, const float *w, int n)
{
    double sum = 0.0;
    int i;
#pragma omp parallel for reduction(+ : sum)
    for (i = 0; i < n; i++)
        if (on[2] && !on[0])
            sum += w[1] * v[i];
    return sum;
}

int main(void)
{
    double c[4] = {0.5, 0.125, 0.0, 0.25}, *want = calloc(N, sizeof(double)), *old = calloc(N, sizeof(double));
    int on[3] = {0, 1, 1};
    float w[2] = {7.0f, 2.0f};
    for (int i = 0; i < N; i++) {
        u[i] = want[i] = i % 5;
        r[i] = old[i] = i % 7;
        v[i] = 1.0;
    }
#pragma omp parallel
    for (int step = 0; step < 4; step++)
        smooth(c, N);
    for (int step = 0; step < 4; step++) {
        for (int i = 1; i < N - 1; i++)
            want[i] = c[0] * old[i] + c[1] * (old[i - 1] + old[i + 1]) + (i % 2 ? c[3] : 0.0);
        for (int i = 0; i < N; i++)
            old[i] = 0.5 * want[i] + 0.125;
    }
    for (int i = 0; i < N; i++)
        check_near("u", i, u[i], want[i], 1e-12);
    check_int("marks", 0, marks, 8);

    double *to = calloc(N, sizeof(double));
#pragma omp parallel
    by_hand(to, N);
    for (int i = 0; i < N; i++)
        check_near("by_hand", i, to[i], 3.0 * i, 0);
#pragma omp parallel
    in_a_loop(to, N);
    check_near("in_a_loop", 0, to[N - 1], 1.0, 0);
    check_near("unknown_length", 0, unknown_length(c, 3, N), N * 0.75, 1e-12);
    check_near("flags", 0, flags(on, w, N), 2.0 * N, 1e-12);
    on[0] = 1;
    check_near("flags", 1, flags(on, w, N), 0.0, 0);
    return finish();
}

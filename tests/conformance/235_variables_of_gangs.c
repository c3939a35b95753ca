// A `parallel` construct declares variables, its loops reduce them or change them from iteration to iteration, with a clause or
// without, and code behind the loops uses them. Each gang has an instance of its own, so one gang runs such a construct, unless a
// clause says how many there are.
// expect: launches=45
#include "check.h"

#define DO(...) _Pragma(#__VA_ARGS__)
#define N 257

static double a[N];
static int n = N;

#define SHOWN r = x; k = c;
#define TURNS r = x; for (int j = 0; j < 3; j++) k += x + c;
#define BRANCH if (x > 1) { r = x; k = c; } else k = 77;
#define LOOP_IN_BRANCH \
    double q = 0; \
    if (x > 1) { \
        DO(acc loop vector reduction(+:q)) \
        for (int i = 0; i < n; i++) \
            q += a[i]; \
    } \
    r = q + x; k = c;

#define TEST(NAME, CONSTRUCT, LOOP, UPDATE, BEHIND) \
    static void NAME(void) \
    { \
        double r = 0, k = 0; \
        DO(CONSTRUCT) \
        { \
            double x = 1; \
            int c = 2; \
            DO(LOOP) \
            for (int i = 0; i < n; i++) { \
                UPDATE \
            } \
            BEHIND \
        } \
        double r_seen = r, k_seen = k; \
        r = k = 0; \
        { \
            double x = 1; \
            int c = 2; \
            for (int i = 0; i < n; i++) { \
                UPDATE \
            } \
            BEHIND \
        } \
        check_near(#NAME, 0, r_seen, r, 1e-12); \
        check_near(#NAME, 1, k_seen, k, 1e-12); \
    }

#define RECURRENCES(NAME, CONSTRUCT, LOOP) \
    TEST(NAME##_1, CONSTRUCT, LOOP, x = 0.5 * x + a[i];, SHOWN) \
    TEST(NAME##_2, CONSTRUCT, LOOP, x = 0.5 * x + a[i]; c = -c;, TURNS) \
    TEST(NAME##_3, CONSTRUCT, LOOP, x += a[i]; c++;, BRANCH) \
    TEST(NAME##_4, CONSTRUCT, LOOP, x = 0.5 * x + a[i]; c = i;, LOOP_IN_BRANCH) \
    static void NAME(void) { NAME##_1(); NAME##_2(); NAME##_3(); NAME##_4(); }

#define SUMS(NAME, CONSTRUCT, LOOP) \
    TEST(NAME##_1, CONSTRUCT, LOOP, x += a[i];, SHOWN) \
    TEST(NAME##_2, CONSTRUCT, LOOP, x += a[i];, TURNS) \
    TEST(NAME##_3, CONSTRUCT, LOOP, x += a[i];, BRANCH) \
    TEST(NAME##_4, CONSTRUCT, LOOP, x += a[i];, LOOP_IN_BRANCH) \
    static void NAME(void) { NAME##_1(); NAME##_2(); NAME##_3(); NAME##_4(); }

RECURRENCES(any_gangs, acc parallel copyin(a) copy(r, k), acc loop)
RECURRENCES(one_gang, acc parallel num_gangs(1) copyin(a) copy(r, k), acc loop vector)
RECURRENCES(workers, acc parallel num_gangs(1) num_workers(4) copyin(a) copy(r, k), acc loop worker)
SUMS(any_gangs_sums, acc parallel copyin(a) copy(r, k), acc loop reduction(+:x))
SUMS(gangs_sums, acc parallel copyin(a) copy(r, k), acc loop gang vector reduction(+:x))
SUMS(one_gang_sums, acc parallel num_gangs(1) copyin(a) copy(r, k), acc loop gang vector reduction(+:x))
SUMS(kernels_sums, acc kernels copyin(a) copy(r, k), acc loop reduction(+:x))

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i % 7;
    any_gangs();
    one_gang();
    workers();
    any_gangs_sums();
    gangs_sums();
    one_gang_sums();
    kernels_sums();
    return finish();
}

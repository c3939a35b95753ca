// A construct uses the variable that its loops reduce outside of these loops, too: before them, behind them, between them, under
// a condition, or in each turn of a sequential loop. The loops add to the value that it has then.
// expect: launches=100
#include "check.h"

#define DO(...) _Pragma(#__VA_ARGS__)
#define N 257

static double h[N], r[1], r_ok[1];
static int n = N;

#define ADD \
    for (int i = 0; i < n; i++) \
        s += h[i] + 1;
#define SETS(LOOP) s = h[3]; DO(LOOP) ADD
#define USES(LOOP) DO(LOOP) ADD r[0] = s; s = 2 * s;
#define BOTH(LOOP) r[0] = s; s += 7; DO(LOOP) ADD s -= 1; DO(LOOP) ADD
#define BRANCHES(LOOP) if (n > 5) { s = 1; DO(LOOP) ADD if (s > 10) s -= 10; }
#define REPEATS(LOOP) for (int t = 0; t < 3; t++) { s = t; DO(LOOP) ADD r[0] += s; }

#define TEST(NAME, TYPE, WHAT, CONSTRUCT, LOOP) \
    static void NAME(void) \
    { \
        TYPE s = 100; \
        r[0] = 0; \
        DO(CONSTRUCT) \
        { \
            WHAT(LOOP) \
        } \
        TYPE got = s; \
        s = 100; \
        { \
            double *r = r_ok; \
            r[0] = 0; \
            WHAT(region) \
        } \
        check_near(#NAME, 0, got, s, 1e-12); \
        check_near(#NAME, 1, r[0], r_ok[0], 1e-12); \
    }

#define ALL(NAME, TYPE, CONSTRUCT, LOOP) \
    TEST(NAME##_sets, TYPE, SETS, CONSTRUCT, LOOP) \
    TEST(NAME##_uses, TYPE, USES, CONSTRUCT, LOOP) \
    TEST(NAME##_both, TYPE, BOTH, CONSTRUCT, LOOP) \
    TEST(NAME##_branches, TYPE, BRANCHES, CONSTRUCT, LOOP) \
    TEST(NAME##_repeats, TYPE, REPEATS, CONSTRUCT, LOOP) \
    static void NAME(void) \
    { \
        NAME##_sets(); \
        NAME##_uses(); \
        NAME##_both(); \
        NAME##_branches(); \
        NAME##_repeats(); \
    }

ALL(one_gang, double, acc parallel num_gangs(1) copy(s, r) copyin(h), acc loop gang vector reduction(+:s))
ALL(unnamed, long, acc parallel num_gangs(1) copy(r) copyin(h), acc loop reduction(+:s))
ALL(lanes, float, acc parallel num_gangs(1) copy(s, r) copyin(h), acc loop vector reduction(+:s))
ALL(workers, double, acc parallel num_gangs(1) num_workers(4) copy(s, r) copyin(h), acc loop worker reduction(+:s))
ALL(gangs, double, acc parallel copy(s, r) copyin(h), acc loop gang reduction(+:s))
ALL(any_gangs, long, acc parallel copy(r) copyin(h), acc loop reduction(+:s))
ALL(four_gangs, double, acc parallel num_gangs(4) copy(s, r) copyin(h), acc loop gang vector reduction(+:s))
ALL(one_thread, double, acc serial copy(s, r) copyin(h), acc loop reduction(+:s))
ALL(kernels, double, acc kernels copy(s, r) copyin(h), acc loop reduction(+:s))

int main(void)
{
    for (int i = 0; i < N; i++)
        h[i] = i % 7;
    one_gang();
    unnamed();
    lanes();
    workers();
    gangs();
    any_gangs();
    four_gangs();
    one_thread();
    kernels();
    return finish();
}

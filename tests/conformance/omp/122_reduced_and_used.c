// A construct uses the variable that its loops reduce outside of these loops, too: before them, behind them, between them, or in
// each turn of a sequential loop. The loops add to the value that it has then.
// expect: launches=25
#include "../check.h"

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
#define REPEATS(LOOP) for (int t = 0; t < 3; t++) { s = t; DO(LOOP) ADD r[0] += s; }

#define TEST(NAME, WHAT, CONSTRUCT, LOOP) \
    static void NAME(void) \
    { \
        double s = 100; \
        r[0] = 0; \
        DO(CONSTRUCT) \
        { \
            WHAT(LOOP) \
        } \
        double got = s; \
        s = 100; \
        { \
            double *r = r_ok; \
            r[0] = 0; \
            WHAT(region) \
        } \
        check_near(#NAME, 0, got, s, 1e-12); \
        check_near(#NAME, 1, r[0], r_ok[0], 1e-12); \
    }

#define ALL(NAME, CONSTRUCT, LOOP) \
    TEST(NAME##_sets, SETS, CONSTRUCT, LOOP) \
    TEST(NAME##_uses, USES, CONSTRUCT, LOOP) \
    TEST(NAME##_both, BOTH, CONSTRUCT, LOOP) \
    TEST(NAME##_repeats, REPEATS, CONSTRUCT, LOOP) \
    static void NAME(void) \
    { \
        NAME##_sets(); \
        NAME##_uses(); \
        NAME##_both(); \
        NAME##_repeats(); \
    }

ALL(threads, omp target map(tofrom: s, r) map(to: h), omp parallel for reduction(+:s))
ALL(lanes, omp target map(tofrom: s, r) map(to: h), omp simd reduction(+:s))
ALL(one_team, omp target teams num_teams(1) map(tofrom: s, r) map(to: h), omp distribute parallel for reduction(+:s))
ALL(thread_team, omp target teams num_teams(1) map(tofrom: s, r) map(to: h), omp parallel for reduction(+:s))
ALL(one_of_team, omp target parallel num_threads(1) map(tofrom: s, r) map(to: h), omp for reduction(+:s))
ALL(any_order, omp target map(tofrom: s, r) map(to: h), omp loop bind(thread) reduction(+:s))

// What the target construct does not map is its own, whatever loops inside do to it.
static void unmapped(void)
{
    double s = 100;
    r[0] = 0;
#pragma omp target map(tofrom: r) map(to: h)
    {
        s = 5;
#pragma omp parallel for reduction(+:s)
        ADD
        r[0] = s;
    }
    double sum = 5;
    for (int i = 0; i < n; i++)
        sum += h[i] + 1;
    check_near("unmapped", 0, s, 100, 0);
    check_near("unmapped", 1, r[0], sum, 1e-12);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        h[i] = i % 7;
    threads();
    lanes();
    one_team();
    thread_team();
    one_of_team();
    any_order();
    unmapped();
    return finish();
}

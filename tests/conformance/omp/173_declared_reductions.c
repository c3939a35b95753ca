// Reductions that the program declares are the work of many threads: OpenMP 5.2 §5.5.11.
// expect: launches=16
#include "../check.h"
#include <limits.h>

#define N 10000

typedef struct {
    double sum;
    long count;
    int least, most;
} Statistics;

static void join(Statistics *a, const Statistics *b)
{
    a->sum += b->sum;
    a->count += b->count;
    a->least = b->least < a->least ? b->least : a->least;
    a->most = b->most > a->most ? b->most : a->most;
}

static void start(Statistics *s)
{
    *s = (Statistics){0, 0, INT_MAX, INT_MIN};
}

typedef struct {
    float x, y;
} Vector;

#pragma omp declare reduction(statistics : Statistics : join(&omp_out, &omp_in)) initializer(start(&omp_priv))
#pragma omp declare reduction(+ : Vector : omp_out.x += omp_in.x, omp_out.y += omp_in.y) \
    initializer(omp_priv = {0, 0})
#pragma omp declare reduction(largest : int, double : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = 0)
#pragma omp declare reduction(product : double : omp_out *= omp_in) initializer(omp_priv = omp_orig / omp_orig)
#pragma omp declare reduction(sum : long : omp_out += omp_in)
#pragma omp declare reduction(sum_of : long : omp_out += 2 * omp_in)

static int a[N];

static void check_statistics(const char *what, Statistics s, int times)
{
    Statistics expected;
    start(&expected);
    for (int t = 0; t < times; t++)
        for (int i = 0; i < N; i++) {
            Statistics one = {a[i], 1, a[i], a[i]};
            join(&expected, &one);
        }
    check_near(what, 0, s.sum, expected.sum, 0);
    check_int(what, 1, s.count, expected.count);
    check_int(what, 2, s.least, expected.least);
    check_int(what, 3, s.most, expected.most);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (i * 7919) % 10007 - 5000;

    Statistics s;
    start(&s);
    for (int t = 1; t <= 2; t++) {
#pragma omp target teams distribute parallel for map(to: a) map(tofrom: s) reduction(statistics : s)
        for (int i = 0; i < N; i++) {
            Statistics one = {a[i], 1, a[i], a[i]};
            join(&s, &one);
        }
        check_statistics("combined", s, t);
    }

    int most = 3;
    double half = 0;
#pragma omp target teams distribute parallel for map(to: a) map(tofrom: most, half) reduction(largest : most, half)
    for (int i = 0; i < N; i++) {
        most = a[i] > most ? a[i] : most;
        half = a[i] * 0.5 > half ? a[i] * 0.5 : half;
    }
    check_int("several", 0, most, 5006);
    check_near("several", 1, half, 2503, 0);

    Vector v = {1, 2};
    int odd = 0;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(48) map(to: a) map(tofrom: v) \
    reduction(+ : v, odd)
    for (int i = 0; i < N; i++) {
        v.x += 1;
        v.y += i % 2;
        odd += a[i] % 2 != 0;
    }
    check_near("operator", 0, v.x, N + 1, 0);
    check_near("operator", 1, v.y, N / 2 + 2, 0);
    int expected = 0;
    for (int i = 0; i < N; i++)
        expected += a[i] % 2 != 0;
    check_int("beside a sum", 0, odd, expected);

    double p = 2;
    int threads = 7;
#pragma omp target map(tofrom: p)
#pragma omp parallel for reduction(product : p) num_threads(threads)
    for (int i = 0; i < 10; i++)
        p *= 2;
    check_near("omp_orig", 0, p, 2048, 0);

    long q = 1;
#pragma omp target teams map(tofrom: q) num_teams(3)
    {
#pragma omp distribute parallel for reduction(sum : q) collapse(2)
        for (int i = 0; i < 100; i++)
            for (int j = 0; j < 10; j++)
                q += i * j;
    }
    check_int("separate", 0, q, 1 + 4950 * 45);

#pragma omp target parallel for map(tofrom: q) reduction(sum : q)
    for (int i = 0; i < 1000; i++)
        q += i;
    check_int("without teams", 0, q, 1 + 4950 * 45 + 499500);

    // A variable of the construct.
    long r = 0;
#pragma omp target map(from: r)
    {
        long local = 5;
#pragma omp parallel for reduction(sum : local)
        for (int i = 0; i < 1000; i++)
            local += i;
        r = local;
    }
    check_int("of the construct", 0, r, 499505);

    // One thread.
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(1) map(tofrom: q) reduction(sum : q)
    for (int i = 0; i < 1000; i++)
        q -= i;
    check_int("one thread", 0, q, 1 + 4950 * 45);
    return finish();
}

// The same in C++: methods, templates, references, lambdas and reductions that the program declares.
// expect: launches=0
#include <omp.h>
#include "../check.h"

static int plus(int a, int b) { return a + b; }
static int (*volatile add)(int, int) = plus;

struct Range {
    int low, high;
};
static void join(Range &all, const Range &one)
{
    all.low = one.low < all.low ? one.low : all.low;
    all.high = one.high > all.high ? one.high : all.high;
}
#pragma omp declare reduction(join : Range : join(omp_out, omp_in)) initializer(omp_priv = {1 << 20, -(1 << 20)})

struct Field {
    int *values, n, total = 0;

    Field(int n) : values(new int[n]), n(n) {}
    ~Field() { delete[] values; }

    template <class F> int each(F f)
    {
        int threads = 0;
#pragma omp target teams distribute parallel for num_threads(3) map(from: values[0:n]) map(tofrom: threads) \
    reduction(max: threads)
        for (int i = 0; i < n; i++) {
            values[i] = add(f(i), 0);
            threads = omp_get_num_threads();
        }
        return threads;
    }

    void add_all()
    {
#pragma omp target teams distribute parallel for reduction(+: total) map(tofrom: total) map(to: values[0:n])
        for (int i = 0; i < n; i++)
            total += add(values[i], 1);
    }
};

template <class T> T spread(const T *a, int n, int &count)
{
    T whole = 0;
#pragma omp target teams num_teams(2) map(to: a[0:n]) map(tofrom: count, whole) reduction(+: whole)
    {
#pragma omp distribute
        for (int block = 0; block < 4; block++) {
            T part = 0;
#pragma omp parallel for reduction(+: part) num_threads(4)
            for (int i = block * n / 4; i < (block + 1) * n / 4; i++)
                part += add(a[i], 0);
            whole += part;
#pragma omp atomic
            count++;
        }
    }
    return whole;
}

int main()
{
    Field field(100);
    int scale = 3;
    check_int("threads", 0, field.each([=](int i) { return scale * i; }), 3);
    field.add_all();
    check_int("total", 0, field.total, 3 * 99 * 50 + 100);
    int count = 0;
    check_int("spread", 0, spread(field.values, 100, count), 3 * 99 * 50);
    check_int("count", 0, count, 4);

    Range range = {0, 0};
    int *values = field.values;
#pragma omp target parallel for reduction(join: range) num_threads(4) map(tofrom: range) map(to: values[0:100])
    for (int i = 0; i < 100; i++) {
        Range one = {add(values[i], -5), values[i]};
        join(range, one);
    }
    check_int("range", 0, range.low * 1000 + range.high, -5000 + 297);
    return finish();
}

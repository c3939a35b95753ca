// Regions in lambdas: captures by reference and by copy, of an object, one in another, and one that threads of a region
// call, each of which runs all of it. Those in generic ones are the host's.
// expect: launches=8
#include "../check.h"

#define N 1000

struct field {
    int n;
    double *u;
    double sum() const
    {
        auto add = [this] {
            double total = 0;
#pragma omp parallel for reduction(+ : total)
            for (int i = 0; i < n; i++)
                total += u[i];
            return total;
        };
        return add();
    }
};

template <typename F> static double twice(F f) { return f(1) + f(2); }

int main()
{
    int n = N;
    double *a = new double[N], factor = 2;
    auto fill = [&](double first) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = first + i * factor;
    };
    fill(1);
    factor = 3;
    fill(1);
    check_near("fill", 10, a[10], 31, 0);

    // The copies keep what was captured.
    auto scale = [=](double by) {
        double most = 0;
#pragma omp parallel for reduction(max : most)
        for (int i = 0; i < n; i++) {
            a[i] = a[i] * by + factor;
            if (a[i] > most)
                most = a[i];
        }
        return most;
    };
    n = 0;
    factor = 100;
    check_near("most", 0, scale(2), 2 * (1 + 3 * (N - 1)) + 3, 0);
    n = N;
    check_near("twice", 0, twice([&](int k) {
        double total = 0;
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < n; i++)
            total += k;
        return total;
    }), 3 * N, 0);

    auto set = [&](auto value) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = value;
    };
    set(7);
    check_near("set", 3, a[3], 7, 0);
    auto add = [&](auto value) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] += value;
    };
    add(1);
    add(0.5f);
    check_near("add", 3, a[3], 8.5, 0);
    field f{N, a};
    check_near("sum", 0, f.sum(), 8.5 * N, 1e-12);

    // One in another.
    auto outer = [&](int rounds) {
        auto inner = [&](int round) {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                a[i] = round + i;
        };
        for (int round = 0; round < rounds; round++)
            inner(round);
    };
    outer(2);
    check_near("outer", 5, a[5], 6, 0);

    // Each thread adds everything once, with loops of its own.
    int threads = 0;
    double sums[64] = {0};
    auto count = [&](int at) {
        double total = 0;
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < N; i++)
            total += i % 2;
        sums[at] = total;
    };
#pragma omp parallel num_threads(3)
    {
        int at;
#pragma omp atomic capture
        at = threads++;
        count(at);
    }
    for (int t = 0; t < threads; t++)
        check_near("count", t, sums[t], N / 2, 0);
    delete[] a;
    return finish();
}

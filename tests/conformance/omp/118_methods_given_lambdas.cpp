// Methods with constructs that are given lambdas: of class templates, of templates in them, static, const, operators, and
// such as pass the lambda on or name members of their object and of its base.
// expect: launches=10 fallbacks=0
#include "../check.h"

namespace par {
namespace detail {

template <class T> struct Base {
    T offset;
};

template <class T> struct Exec : Base<T> {
    using value_type = T;
    T scale;
    int threads;
    T data[4];

    template <class F> void run(int n, F f) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) f(i);
    }
    template <class F> value_type sum(int n, const F &f) const {
        value_type s = 0;
#pragma omp target teams distribute parallel for num_threads(threads) map(to: data[0:4]) map(tofrom: s) reduction(+:s)
        for (int i = 0; i < n; i++) s += this->scale * f(i) + this->offset + data[i % 4];
        return s;
    }
    // A local that is called like a member, and another lambda.
    template <class F, class G> void both(int n, F &&f, G g) {
        const T a = scale;
        run(n, f);
        this->run(n, g);
        this->scale = a + 1;
    }
    template <class F> static void from(int first, int n, F f) {
#pragma omp target teams distribute parallel for
        for (int i = first; i < n; i++) f(i);
    }
};

template <int Block> struct Range {
    int first, last;
    template <class F> void operator()(F body) const {
        const int begin = first, end = last;
#pragma omp target teams distribute parallel for thread_limit(Block)
        for (int i = begin; i < end; ++i) body(i);
    }
};

} // namespace detail

struct Plain {
    int n;
    template <class F> void each(F f) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < this->n; i++) f(i, n);
    }
};

} // namespace par

struct User {
    par::Plain plain;
    double *x;
    void work() {
        double *p = x;
        plain.each([=](int i, int n) { p[i] += n; });
    }
};

int main() {
    const int n = 1000;
    double a[n], b[n];
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 0;
    double sum = 0;
    par::detail::Exec<double> exec;
    exec.scale = 2, exec.offset = 0.5, exec.threads = 32;
    for (int i = 0; i < 4; i++) exec.data[i] = i;
    par::detail::Exec<double> *pointer = &exec;
    double *x = a, *y = b;
#pragma omp target data map(tofrom: x[0:n], y[0:n])
    {
        double k = 3;
        exec.run(n, [=](int i) { x[i] = x[i] * k + 1; });
        pointer->run(n, [=](auto i) { y[i] = x[i] - i; });
        sum = exec.sum(n, [=](int i) { return y[i]; });
        exec.both(n, [=](int i) { x[i] += 1; }, [=](int i) { y[i] -= 1; });
        par::detail::Exec<int>::from(10, n, [=](int i) { x[i] += 10; });
        par::detail::Range<64> range{5, n};
        range([=](int i) { y[i] *= 2; });
        auto again = [=](int i) { y[i] += 1; };
        range(again);
        par::Plain{n}.each([=](int i, int count) { x[i] += count; });
        User user{{n}, x};
        user.work();
    }
    double expected = 0;
    for (int i = 0; i < n; i++) {
        expected += 2 * (2.0 * i + 1) + 0.5 + i % 4;
        check_near("a", i, a[i], 3.0 * i + 2 + (i >= 10 ? 10 : 0) + 2 * n, 0);
        check_near("b", i, b[i], i >= 5 ? 4.0 * i + 1 : 2.0 * i, 0);
    }
    check_near("sum", 0, sum, expected, 1e-12);
    check_near("scale", 0, exec.scale, 3, 0);
    return finish();
}

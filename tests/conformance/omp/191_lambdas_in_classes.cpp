// flags: -std=c++17
// expect: launches=2
// Lambdas that become members of class templates, whose methods have the construct.
#include "../check.h"
struct Device {};
template <class... P> struct Range { long first, last; };
template <class F, class P, class D> class For;
template <class F, class... P> class For<F, Range<P...>, Device> {
    F functor; Range<P...> policy;
public:
    For(const F &f, const Range<P...> &p) : functor(f), policy(p) {}
    void go() const {
        F copy(functor);
        const auto first = policy.first, last = policy.last;
#pragma omp target teams distribute parallel for map(to: copy)
        for (auto i = first; i < last; i++) copy(i);
    }
};
template <class F> void parallel_for(const Range<int> &r, const F &f) { For<F, Range<int>, Device> closure(f, r); closure.go(); }
int main() {
    double x[100], *p = x, *d;
#pragma omp target enter data map(alloc : x)
#pragma omp target data use_device_ptr(p)
    d = p;
    const int factor = 3;
    auto k = 2.0;
    parallel_for({0, 100}, [=](int i) { d[i] = i * factor; });
    parallel_for({0, 100}, [=](const int i) {
        d[i] += k;
        d[i] *= 2;
    });
#pragma omp target exit data map(from : x)
    for (int i = 0; i < 100; i++) check_near("x", i, x[i], 2 * (3.0 * i + 2), 0);
    return finish();
}

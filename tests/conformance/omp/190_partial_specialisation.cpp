// flags: -std=c++17
// expect: launches=5
// Constructs in members of partial specialisations and of a class template with a pack. What `if constexpr` discards in an
// instance is not valid there.
#include "../check.h"

struct Device {};
struct Add {};

template <class... Properties> struct Range {
    using index = long;
    index first, last;
};

template <class Functor, class Policy, class Place> struct For;

template <class Functor, class... Properties> struct For<Functor, Range<Properties...>, Device> {
    using Policy = Range<Properties...>;
    Functor functor;
    Policy policy;

    template <class Tag> void run() const
    {
        const auto first = policy.first, last = policy.last;
        Functor copy(functor);
        if constexpr (__is_same(Tag, void)) {
#pragma omp target teams distribute parallel for map(to : copy)
            for (auto i = first; i < last; i++) copy(i);
        } else if constexpr (__is_same(Tag, Add)) {
#pragma omp target teams distribute parallel for map(to : copy)
            for (auto i = first; i < last; i++) copy(Tag(), i);
        } else {
            static_assert(sizeof(Tag) == 0, "an unknown tag");
        }
    }
};

template <class Functor, class Policy, class Value, bool HasTag> struct Reduce;

// A parameter that stands inside an argument, and one that is a value.
template <class Functor, class Item, bool HasTag> struct Reduce<Functor, Range<Item>, Item, HasTag> {
    static inline void execute(const Functor &f, const Range<Item> &range, Item *result)
    {
        Item sum = Item();
        const long first = range.first, last = range.last;
#pragma omp target teams distribute parallel for map(to : f) reduction(+ : sum)
        for (long i = first; i < last; i++) f(i, sum);
        *result = HasTag ? -sum : sum;
    }
};

template <class Functor, class... Properties> class Each {
    Functor functor;

public:
    Each(const Functor &functor) : functor(functor) {}
    void go(int n) const
    {
        Functor copy(functor);
#pragma omp target teams distribute parallel for map(to : copy)
        for (int i = 0; i < n; i++) copy(i);
    }
};

struct Fill {
    double *a;
    void operator()(long i) const { a[i] = 2.0 * i; }
    void operator()(Add, long i) const { a[i] += 1; }
};

struct Sum {
    const double *a;
    void operator()(long i, double &sum) const { sum += a[i]; }
};

int main()
{
    double x[100], *p = x, *d;
#pragma omp target enter data map(alloc : x)
#pragma omp target data use_device_ptr(p)
    d = p;
    For<Fill, Range<int, float>, Device> fill{{d}, {0, 100}};
    fill.run<void>();
    fill.run<Add>();
    double sum = 0, negated = 0;
    Reduce<Sum, Range<double>, double, false>::execute({d}, {0, 100}, &sum);
    Reduce<Sum, Range<double>, double, true>::execute({d}, {0, 50}, &negated);
    Each<Fill, int, char>({d}).go(10);
#pragma omp target exit data map(from : x)
    check_near("sum", 0, sum, 100 * 99 + 100, 1e-9);
    check_near("sum", 1, negated, -(50 * 49 + 50), 1e-9);
    for (int i = 0; i < 100; i++) check_near("x", i, x[i], 2.0 * i + (i >= 10), 0);
    return finish();
}

// Classes that are made of a template by other names for its arguments, an alias and a constant, are the same classes; one has
// a constant that others may not name.
// expect: launches=5
#include "../check.h"
#include <cstddef>
#include <cstdint>
#include <vector>

template <typename T> class Array {
public:
    explicit Array(size_t n) : start(new T[n]), behind(start + n) {}
    ~Array() { delete[] start; }
    T &operator[](size_t n) { return start[n]; }
    const T &operator[](size_t n) const { return start[n]; }
    size_t size() const { return behind - start; }
    void fill(T value)
    {
#pragma omp parallel for
        for (T *at = start; at < behind; at++)
            *at = value;
    }

private:
    T *start, *behind;
};

template <typename T, int n> struct Short {
    T x[n];
    T sum() const
    {
        T all = 0;
        for (int k = 0; k < n; k++)
            all += x[k];
        return all;
    }
};

class Bits {
public:
    explicit Bits(size_t n) : start(new uint64_t[(n + width - 1) / width]()) {}
    ~Bits() { delete[] start; }
    void set(size_t at)
    {
        uint64_t before, after;
        do {
            before = start[word(at)];
            after = before | (uint64_t)1 << bit(at);
        } while (!__sync_bool_compare_and_swap(&start[word(at)], before, after));
    }
    bool get(size_t at) const { return (start[word(at)] >> bit(at)) & 1; }

private:
    uint64_t *start;
    static const uint64_t width = 64;
    static uint64_t word(size_t n) { return n / width; }
    static uint64_t bit(size_t n) { return n & (width - 1); }
};

typedef int32_t NodeID;
using Weight = double;
namespace sizes {
const int three = 3;
typedef float Real;
}
using namespace sizes;
const int count = 2 * three;

static void halve(Array<NodeID> &parent)
{
    const int n = parent.size();
#pragma omp parallel for schedule(dynamic, 64)
    for (NodeID k = 0; k < n; k++)
        if (parent[k] != parent[parent[k] / 4096])
            parent[k] /= 2;
}

static void mark(const Array<NodeID> &parent, Bits &odd, Array<Weight> &weight)
{
    const int n = parent.size();
#pragma omp parallel for
    for (NodeID k = 0; k < n; k++) {
        if (parent[k] % 2)
            odd.set(k);
        weight[k] = 0.5 * parent[k];
    }
}

static Real sum_of(const Short<Real, count> &one, Array<Weight> &weight)
{
    Real all = 0;
    const int n = weight.size();
#pragma omp parallel for reduction(+ : all)
    for (int k = 0; k < n; k++)
        all += weight[k] > 2 ? one.sum() : 0;
    return all;
}

int main()
{
    const int n = 1000;
    Array<NodeID> parent(n);
    Array<Weight> weight(n);
    Bits odd(n);
    parent.fill(7);
#pragma omp parallel for
    for (NodeID k = 0; k < n; k++)
        parent[k] += k;
    halve(parent);
    mark(parent, odd, weight);
    auto *one = new Short<Real, count>{{1, 2, 3, 4, 5, 6}};
    Real all = sum_of(*one, weight), want = 0;
    for (int k = 0; k < n; k++) {
        const int p = (7 + k) == 7 ? 7 : (7 + k) / 2;
        check_int("parent", k, parent[k], p);
        check_int("odd", k, odd.get(k), p % 2);
        check_near("weight", k, weight[k], 0.5 * p, 0);
        want += 0.5 * p > 2 ? 21 : 0;
    }
    check_near("sum", 0, all, want, 1e-6);
    return finish();
}

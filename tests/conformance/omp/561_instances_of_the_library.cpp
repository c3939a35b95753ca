// Instances of the user's templates that functions of the standard library alone make: elements of containers are constructed,
// copied and destroyed there, objects of virtual functions made, and function objects called.
// flags: -std=c++17
// expect: launches=30
#include "../check.h"
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <omp.h>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

static int count; /* of arrays that are mapped */

template <class T> struct Buffer {
    T *p;
    int n;
    Buffer(int n, T v) : p(new T[n]), n(n)
    {
        T *p = this->p;
        count++;
#pragma omp target enter data map(alloc : p[ : n])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            p[i] = v;
    }
    Buffer(const Buffer &o) : p(new T[o.n]), n(o.n)
    {
        T *p = this->p, *q = o.p;
        int n = this->n;
        count++;
#pragma omp target enter data map(alloc : p[ : n])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            p[i] = q[i] + 1;
    }
    ~Buffer()
    {
        T *p = this->p;
#pragma omp target exit data map(delete : p[ : n])
        count -= !omp_target_is_present(p, omp_get_default_device());
        delete[] p;
    }
    T sum() const
    {
        T s = 0, *p = this->p;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += p[i];
        return s;
    }
    bool operator<(const Buffer &o) const { return sum() < o.sum(); }
    void operator()(T v) const
    {
        T *p = this->p;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            p[i] += v;
    }
};

/* The standard library alone knows of which class the object is. */
struct Stream {
    virtual ~Stream() {}
    virtual double total() = 0;
};

template <class T> class DeviceStream : public Stream {
  public:
    T *a;
    int n;
    DeviceStream(int n) : a(new T[n]), n(n) {}
    ~DeviceStream() { delete[] a; }
    double total() override;
};

template <class T> double DeviceStream<T>::total()
{
    T *a = this->a;
    T s{};
#pragma omp target teams distribute parallel for map(from : a[ : n])
    for (int i = 0; i < n; i++)
        a[i] = T(i) / 2;
#pragma omp target teams distribute parallel for map(to : a[ : n]) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

template <class T> double run()
{
    std::unique_ptr<Stream> stream = std::make_unique<DeviceStream<T>>(100);
    return stream->total();
}

/* Called by what the library calls, with types that it deduces. */
template <class T> void twice(T *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom : a[ : n])
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}

struct Twice {
    template <class V> void operator()(V &v) const { twice(v.data(), v.size()); }
};

int main()
{
    {
        std::vector<Buffer<double>> v;
        v.reserve(2);
        v.emplace_back(100, 2.0);
        v.emplace_back(50, 3.0);
        std::vector<Buffer<double>> w(v);
        check_near("constructed", 0, v[0].sum(), 200, 0);
        check_near("copied", 1, w[1].sum(), 200, 0);
        std::for_each(v.begin(), v.end(), [](auto &b) { b(1.0); });
        check_near("called", 0, v[0].sum(), 300, 0);
        check_near("called", 1, v[1].sum(), 200, 0);
        check_int("greatest", 0, std::max_element(v.begin(), v.end()) - v.begin(), 0);
        auto s = std::make_shared<Buffer<float>>(10, 4.f);
        std::function<void(float)> f = *s;
        f(3);
        check_near("function", 0, s->sum(), 40, 0);
        std::optional<Buffer<int>> o;
        o.emplace(7, 3);
        check_int("optional", 0, o->sum(), 21);
        std::map<int, Buffer<long>> m;
        m.try_emplace(3, 4, 5L);
        check_int("map", 3, m.at(3).sum(), 20);
        Buffer<short> k(10, 1);
        std::thread t(std::ref(k), 5);
        t.join();
        std::bind(std::ref(k), 2)();
        check_int("thread", 0, k.sum(), 80);
        check_int("count", 0, count, 9);
    }
    check_int("destroyed", 0, count, 0);

    check_near("stream", 0, run<float>(), 2475, 0);
    check_near("stream", 1, run<double>(), 2475, 0);

    std::variant<std::vector<int>, std::vector<long>> x = std::vector<long>(5, 7);
    std::visit(Twice(), x);
    std::visit([](auto &v) { twice(v.data(), v.size()); }, x);
    check_int("visited", 4, std::get<1>(x)[4], 28);
    return finish();
}

// Templates that conditions on their arguments choose: parameters without names, which have default arguments, also behind packs, and
// packs in the initialisers of members.
// flags: -std=c++17
// expect: launches=11
#include "../check.h"
#include <type_traits>

#define N 40

template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0>
void change(T *q, T by)
{
#pragma omp target teams distribute parallel for map(tofrom : q[:N])
    for (int i = 0; i < N; i++)
        q[i] *= by;
}

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
void change(T *q, T by)
{
#pragma omp target teams distribute parallel for map(tofrom : q[:N])
    for (int i = 0; i < N; i++)
        q[i] += by;
}

template <class T>
auto total(const T *q) -> std::enable_if_t<std::is_integral<T>::value, T>
{
    T sum = 0;
#pragma omp target teams distribute parallel for map(to : q[:N]) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += q[i];
    return sum;
}

template <class T, class = void>
struct Step {
    static void run(T *q)
    {
#pragma omp target teams distribute parallel for map(tofrom : q[:N])
        for (int i = 0; i < N; i++)
            q[i] += 1;
    }
};

template <class T>
struct Step<T, typename std::enable_if<std::is_integral<T>::value>::type> {
    static void run(T *q)
    {
#pragma omp target teams distribute parallel for map(tofrom : q[:N])
        for (int i = 0; i < N; i++)
            q[i] += 2;
    }
};

template <class T, int R>
class View {
    T *data_;
    int extents[R];

public:
    template <class... I, class = std::enable_if_t<sizeof...(I) == R>>
    explicit View(T *data, I... e) : data_(data), extents{static_cast<int>(e)...}
    {
        T *q = data_;
        int n = size();
#pragma omp target enter data map(to : q[:n])
    }
    ~View()
    {
        T *q = data_;
        int n = size();
#pragma omp target exit data map(from : q[:n])
    }
    int size() const
    {
        int n = 1;
        for (int e : extents)
            n *= e;
        return n;
    }
    template <class... I, class = std::enable_if_t<(sizeof...(I) > 0)>>
    void add(I... values)
    {
        T *q = data_;
        int n = size();
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            q[i] += (values + ...) + sizeof...(I);
    }
    template <class F, class = void, int = 3>
    void apply(F f)
    {
        T *q = data_;
        int n = size();
#pragma omp target teams distribute parallel for firstprivate(f)
        for (int i = 0; i < n; i++)
            q[i] = f(q[i]);
    }
};

int main()
{
    double x[N];
    int k[N];
    for (int i = 0; i < N; i++)
        x[i] = k[i] = i;
    change(x, 2.0);
    change(k, 2);
    Step<double>::run(x);
    Step<int>::run(k);
    check_int("total", 0, total(k), N * (N - 1) / 2 + 4 * N);
    {
        View<double, 2> a(x, 5, 8L);
        View<int, 1> b(k, N);
        a.add(1, 2.5);
        b.add(3);
        b.add(1, 2, 3);
        a.apply([](double v) { return v / 2; });
        b.apply([](int v) { return v * 2; });
        b.apply([](int v) { return v - 1; });
    }
    for (int i = 0; i < N; i++) {
        check_near("x", i, x[i], (2 * i + 1 + 5.5) / 2, 1e-12);
        check_int("k", i, k[i], 2 * (i + 4 + 4 + 9) - 1);
    }
    return finish();
}

// Function objects that a construct has its own copies of, with pointers in them: of memory of the device, which are copied as they
// are, and of mapped arrays of the host, which become the device's.
//
// expect: launches=5
#include "../check.h"
#include <omp.h>
#include <vector>

struct OnDevice {
    template <class B> static void run(long n, B body)
    {
#pragma omp target teams distribute parallel for firstprivate(body)
        for (long i = 0; i < n; i++)
            body(i);
    }
    template <class T, class B> static T sum(long n, B body)
    {
        T all = 0;
#pragma omp target teams distribute parallel for reduction(+ : all) firstprivate(body)
        for (long i = 0; i < n; i++) {
            T own = 0;
            body(i, own);
            all += own;
        }
        return all;
    }
};

template <class T> struct View {
    T *p;
    int n, m;
    T &operator()(int i, int j) const { return p[i * m + j]; }
};

struct Fill {
    View<double> a;
    double k;
    void operator()(long i) const
    {
        for (int j = 0; j < a.m; j++)
            a(i, j) = k * i + j;
    }
};

struct Dot {
    View<double> a, b;
    const double *weights[2];
    void operator()(long i, double &s) const
    {
        for (int j = 0; j < a.m; j++)
            s += a(i, j) * b(i, j) * weights[j % 2][i];
    }
};

/* A private object in a function. */
static void twice(View<double> view, int n)
{
    View<double> *same = &view;
#pragma omp target teams distribute parallel for firstprivate(view)
    for (int i = 0; i < n; i++) {
        View<double> *own = &view;
        (*own)(i, 0) *= 2;
    }
    check_true("unchanged", same->n == n);
}

int main()
{
    const int n = 20, m = 15, device = omp_get_default_device(), host = omp_get_initial_device();
    const size_t bytes = n * m * sizeof(double);
    double *there = (double *)omp_target_alloc(bytes, device);
    std::vector<double> here(n * m, 0.5), back(n * m), even(n, 1), odd(n, 2);
    double *h = here.data(), *e = even.data(), *o = odd.data();
    View<double> a = {there, n, m}, b = {h, n, m};
    OnDevice::run(n, Fill{a, 2});
    omp_target_memcpy(back.data(), there, bytes, 0, 0, host, device);
    for (int i = 0; i < n * m; i++)
        check_near("filled", i, back[i], 2 * (i / m) + i % m, 0);

#pragma omp target enter data map(to : h[0 : n * m], e[0 : n], o[0 : n])
    OnDevice::run(n, Fill{b, 3});
    twice(a, n);
    double all = OnDevice::sum<double>(n, Dot{a, b, {e, o}}), want = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            want += (2 * i + j) * (j == 0 ? 2 : 1) * (3 * i + j) * (j % 2 + 1);
    check_near("sum", 0, all, want, 1e-12);
    OnDevice::run(n, [=](long i) { b(i, 1) = a(i, 0); });
    check_near("of the host", 0, here[n], 0.5, 0);
#pragma omp target exit data map(from : h[0 : n * m]) map(release : e[0 : n], o[0 : n])
    for (int i = 0; i < n * m; i++)
        check_near("mapped", i, here[i], i % m == 1 ? 4 * (i / m) : 3 * (i / m) + i % m, 0);
    omp_target_free(there, device);
    return finish();
}

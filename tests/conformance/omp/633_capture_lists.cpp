// Lambdas, given to templates with constructs, whose capture lists compute what they keep from members and elements.
// flags: -std=c++17
// expect: launches=4
#include "../check.h"

#define N 30

template <typename F> void apply(int n, double *p, F f)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0:n])
    for (int i = 0; i < n; i++)
        p[i] = f(i, p[i]);
}

struct Grid {
    double *u;
    int n;
    double w[2];
    void rows() { apply(n, u, [nn = n](int i, double v) { return v + i * nn; }); }
    void weighted()
    {
        apply(n, u, [a = w[0], b = 2 * n](int, double v) { return v + a * b; });
    }
    void copied() { apply(n, u, [self = *this](int, double v) { return v + self.w[1]; }); }
};

int main()
{
    double a[N] = {0};
    Grid grid = {a, N, {1, 2}};
    grid.rows();
    grid.weighted();
    grid.copied();
    int m = 4;
    apply(N, a, [mm = m * 2, first = a[1]](int, double v) { return v + mm + first; });
    for (int i = 0; i < N; i++)
        check_near("value", i, a[i], i * N + 2 * N + 2 + 8 + (3 * N + 2), 1e-6);
    return finish();
}

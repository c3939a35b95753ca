// Class templates whose constructors and destructors move their arrays, and whose members hold constructs.
// gcc: rejects, this in a data clause
#include "check.h"
#include <algorithm>
#include <cstddef>

template <typename T, int Halo> class Grid {
    int n_, m_;
    T *data_;

  public:
    Grid(int n, int m) : n_(n + 2 * Halo), m_(m + 2 * Halo), data_(new T[static_cast<std::size_t>(n_) * m_]())
    {
#pragma acc enter data copyin(this)
#pragma acc enter data create(data_[0:size()])
    }
    ~Grid()
    {
#pragma acc exit data delete(data_[0:size()])
#pragma acc exit data delete(this)
        delete[] data_;
    }
    std::size_t size() const { return static_cast<std::size_t>(n_) * m_; }
    T &operator()(int i, int j) { return data_[(i + Halo) * m_ + j + Halo]; }
    void to_device()
    {
#pragma acc update device(data_[0:size()])
    }
    void to_host()
    {
#pragma acc update self(data_[0:size()])
    }
    T step(const Grid &from, T rate)
    {
        T worst = 0, *out = data_;
        const T *in = from.data_;
        const int n = n_, m = m_;
#pragma acc parallel loop collapse(2) present(out[0:size()], in[0:size()]) reduction(max : worst)
        for (int i = Halo; i < n - Halo; i++)
            for (int j = Halo; j < m - Halo; j++) {
                const int c = i * m + j;
                T change = in[c - m] + in[c + m] + in[c - 1] + in[c + 1] - 4 * in[c];
                out[c] = in[c] + rate * change;
                worst = std::max(worst, change < 0 ? -change : change);
            }
        return worst;
    }
};

template <typename T, int Halo> static void run(T rate)
{
    const int n = 21, m = 34;
    static T was[n + 2][m + 2], now[n + 2][m + 2];
    Grid<T, Halo> a(n, m), b(n, m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            was[i + 1][j + 1] = a(i, j) = (i * 3 + j * 5) % 11;
    a.to_device();
    T worst = b.step(a, rate), want = 0;
    b.to_host();
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            T change = was[i - 1][j] + was[i + 1][j] + was[i][j - 1] + was[i][j + 1] - 4 * was[i][j];
            now[i][j] = was[i][j] + rate * change;
            want = std::max(want, change < 0 ? -change : change);
        }
    check_near("worst", 0, worst, want, 1e-6);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            check_near("b", i * m + j, b(i, j), now[i + 1][j + 1], 1e-5);
}

int main()
{
    run<double, 1>(0.1);
    run<float, 2>(0.05f);
    return finish();
}

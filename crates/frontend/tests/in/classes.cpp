// C++ in regions: classes, references, templates, the library's small functions.
#include <algorithm>
#include <cmath>
namespace lib {
template <typename T> class Matrix {
public:
    Matrix(T *data, int columns) : data_(data), columns_(columns) {}
    T &operator()(int i, int j) { return data_[i * columns_ + j]; }
    const T &operator()(int i, int j) const { return data_[i * columns_ + j]; }
    int columns() const { return columns_; }
    void scale(T by, int n);

private:
    T *data_;
    int columns_ = 1;
};
template <typename T> void Matrix<T>::scale(T by, int n)
{
#pragma acc parallel loop copy(data_[0:n])
    for (int i = 0; i < n; i++)
        data_[i] *= by;
}
struct Vec {
    double x = 0, y = 0;
    Vec() {}
    Vec(double a, double b) : x(a), y(b) {}
    Vec &operator+=(const Vec &o)
    {
        x += o.x;
        y += o.y;
        return *this;
    }
    double dot(const Vec &o = Vec(1, 1)) const { return x * o.x + y * o.y; }
};
inline Vec operator*(double s, Vec v) { return {s * v.x, s * v.y}; }
template <class T> T clamp(T v, T low, T high) { return v < low ? low : v > high ? high : v; }
enum class Mode : unsigned char { Fast, Exact = 4 };
constexpr int Width = 3 * 4;
} // namespace lib
using namespace lib;

class Grid {
    double *u;
    int n;
    static int steps;

public:
    void step(double dt);
};
int Grid::steps = 0;
void Grid::step(double dt)
{
#pragma acc enter data copyin(this) copyin(u[0:n])
#pragma acc data copy(*this)
#pragma acc parallel loop present(u[0:n]) copyin(this->n)
    for (int i = 0; i < n; i++)
        u[i] += dt;
    steps++;
}

void f(int n, double *x, Vec *v, Matrix<float> m, int &count, const double (&row)[4])
{
    bool flag = false;
#pragma acc parallel loop copy(x[0:n], v[0:n]) copyin(row) copy(count) reduction(||: flag)
    for (int i = 0; i < n; ++i) {
        double &xi = x[i];
        xi = std::sqrt(std::max(xi, 2.0)) + std::abs(xi) + abs(i) + std::pow(xi, 2);
        auto small = static_cast<float>(xi);
        v[i] += 2.0 * Vec(1, xi);
        Vec w, list{1.0, 2.0}, copy = w;
        w += list;
        v[i] = w;
        xi += v[i].dot() + copy.dot(w);
        m(i, 1) = clamp(small, 0.0f, 1.0f) + m(1, i);
        int k = int(Mode::Exact) + Width + m.columns();
        k = std::min(k, 3);
        if (Mode(k) == Mode::Fast)
            flag = true;
        for (double &z : const_cast<double (&)[4]>(row))
            xi += z;
        std::swap(x[i], x[0]);
        double *nothing = nullptr;
        flag = flag || nothing;
        count = row[1] > 0 ? 3 : count;
    }
    m.scale(2.0f, n);
}

// Methods that are templates with constructs call others whose bodies stand further down; classes of a namespace are converted by
// constructors that are templates.
// expect: launches>=8
#include "../check.h"

namespace sensor {

template <typename T> class Position {
public:
    T x, y;

    Position() : x(0), y(0) {}
    Position(const T x, const T y) : x(x), y(y) {}
    Position(const Position<T> &other) : x(other.x), y(other.y) {}
    template <typename U> Position(const Position<U> &other) : x(other.x), y(other.y) {}
    template <typename U> Position &operator+=(const Position<U> &other)
    {
        x += other.x;
        y += other.y;
        return *this;
    }
    template <typename U> explicit operator U() const { return U(x) + U(y); }
};

struct Samples {
    double *values;
    int count;

    template <typename T> void add(T step);
    template <typename T> void fill(T step);
    template <typename T> T sum(T most);
};

template <typename T> void Samples::add(T step)
{
    fill(step);
#pragma omp target teams distribute parallel for map(tofrom : values[0 : count])
    for (int i = 0; i < count; i++)
        values[i] += step;
    values[0] += sum(step);
}

template <typename T> T Samples::sum(T most)
{
    T sum = 0;
#pragma omp target teams distribute parallel for map(to : values[0 : count]) reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += values[i];
    if (most > 1000)
        add(most);
    return sum;
}

template <typename T> void Samples::fill(T step)
{
#pragma omp target teams distribute parallel for map(from : values[0 : count])
    for (int i = 0; i < count; i++)
        values[i] = i * step;
}

template void Samples::add(double);
template void Samples::add(float);

} // namespace sensor

// Constructors that are templates, with constructs of their own.
struct Doubled {
    double values[30];

    template <typename T> Doubled(const T *from, int n);
};

template <typename T> Doubled::Doubled(const T *from, int n)
{
#pragma omp target teams distribute parallel for map(to : from[0 : n]) map(from : values[0 : 30])
    for (int i = 0; i < n; i++)
        values[i] = from[i] * 2;
}

using namespace sensor;

int main()
{
    double values[30];
    Samples samples{values, 30};
    samples.add(2.0);
    check_near("of double", 0, values[0], 2 + 29 * 30 + 60, 0);
    samples.add(3.0f);
    check_near("of float", 0, values[0], 3 + 29 * 45 + 90, 0);

    const int n = 20;
    Position<double> to[n];
    Position<float> from[n];
    double sums[n];
    for (int i = 0; i < n; i++)
        from[i] = Position<float>(i + 0.25f, 2 * i);
#pragma omp target teams distribute parallel for map(to : from) map(tofrom : to) map(from : sums)
    for (int i = 0; i < n; i++) {
        Position<double> p = from[i];
        p.x += 1;
        to[i] += p;
        sums[i] = double(from[i]) + int(p);
    }
    for (int i = 0; i < n; i++) {
        check_near("x", i, to[i].x, i + 1.25, 0);
        check_near("y", i, to[i].y, 2 * i, 0);
        check_near("sum", i, sums[i], 3 * i + 0.25 + 3 * i + 1, 0);
    }

    int whole[30];
    float half[30];
    for (int i = 0; i < 30; i++) {
        whole[i] = i;
        half[i] = i + 0.5f;
    }
    check_near("constructed", 29, Doubled(whole, 30).values[29], 58, 0);
    check_near("constructed", 29, Doubled(half, 30).values[29], 59, 0);
    return finish();
}

// C++: regions in methods and about references; Rodinia CFD's functions that take structures by reference; a template and
// vectors.
// expect: launches=9
#include "../check.h"
#include <algorithm>
#include <vector>

struct vector3 {
    float x, y, z;
};

static inline void velocity_of(float &density, vector3 &momentum, vector3 &velocity)
{
    velocity.x = momentum.x / density;
    velocity.y = momentum.y / density;
    velocity.z = momentum.z / density;
}
static inline float square(vector3 &v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

static void speeds(int n, const float *state, float *speed)
{
#pragma omp parallel for default(shared) schedule(static)
    for (int i = 0; i < n; i++) {
        float density = state[4 * i];
        vector3 momentum, velocity;
        momentum.x = state[4 * i + 1];
        momentum.y = state[4 * i + 2];
        momentum.z = state[4 * i + 3];
        velocity_of(density, momentum, velocity);
        speed[i] = square(velocity);
    }
}

struct Grid {
    int n;
    double *u;
    std::vector<double> v;
    explicit Grid(int n) : n(n), u(new double[n]), v(n) {}
    void start()
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            u[i] = i * 0.5;
    }
    double sum() const
    {
        double s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < n; ++i)
            s += u[i];
        return s;
    }
    void copy()
    {
#pragma omp parallel for
        for (int i = 0; i < n; ++i)
            v[i] = u[i] + 1;
    }
};

template <typename T> static T dot(const std::vector<T> &a, const std::vector<T> &b)
{
    T s = 0;
#pragma omp parallel for reduction(+ : s)
    for (size_t i = 0; i < a.size(); i++)
        s += a[i] * b[i];
    return s;
}

static void scale(double *x, int n, double &by, int &flag)
{
#pragma omp parallel
    {
        double local = by * 2;
#pragma omp for
        for (int i = 0; i < n; i++) {
            x[i] *= local;
            if (i == 3)
                flag = 1;
        }
    }
}

int main()
{
    Grid g(1001);
    g.start();
    check_near("sum", 0, g.sum(), 250250, 1e-12);
    g.copy();
    check_near("copy", 7, g.v[7], 4.5, 0);
    std::vector<double> a(500, 2.0), b(500, 1.5);
    check_near("dot", 0, dot(a, b), 1500, 1e-12);
    double by = 3, most = 0;
    int flag = 0;
    scale(a.data(), 500, by, flag);
    check_int("flag", 0, flag, 1);
    double *raw = a.data();
    auto doubled = [&](int i) { return raw[i] * 2; };
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < 500; i++)
        most = std::max(most, doubled(i));
    check_near("most", 0, most, 24, 1e-12);
    std::vector<float> state(4 * 777), speed(777);
    for (int i = 0; i < 777; i++)
        for (int k = 0; k < 4; k++)
            state[4 * i + k] = 1 + (i + k) % 5;
    for (int step = 0; step < 3; step++) {
        speeds(777, state.data(), speed.data());
        state[0] += 1;
    }
    for (int i = 1; i < 777; i++) {
        float d = state[4 * i], x = state[4 * i + 1] / d, y = state[4 * i + 2] / d, z = state[4 * i + 3] / d;
        check_near("speed", i, speed[i], x * x + y * y + z * z, 1e-6);
    }
    delete[] g.u;
    return finish();
}

// std::complex in compute regions: arithmetic with complex and real numbers, functions, arrays of complex numbers in data
// clauses, as members, parameters and results.
#include "check.h"
#include <complex>
#include <vector>

using namespace std::complex_literals;

typedef double number;

struct Wave {
    std::complex<double> amplitude;
    float frequency;
    std::complex<float> phases[2];
    std::complex<double> at(int i) const { return amplitude * double(i) + std::complex<double>(phases[i % 2]); }
    void damp(double by) { amplitude /= by; }
};

static const std::complex<double> unit(0, 1);

static std::complex<double> horner(const std::complex<number> *a, int n, const std::complex<number> &z)
{
    std::complex<double> sum;
    for (int k = n - 1; k >= 0; k--)
        sum = sum * z + a[k];
    return sum;
}

template <class T> static std::complex<T> mixed(std::complex<T> a, T b) { return (a + b) * (b - a) / (b / a) - -a; }

static int iterations(std::complex<double> c)
{
    std::complex<double> z = 0.0;
    int count = 0;
    for (; count < 50 && std::norm(z) < 4; count++)
        z = z * z + c;
    return count;
}

static double distance(std::complex<double> a, std::complex<double> b)
{
    return std::abs(a - b) / (1 + std::abs(b));
}

int main()
{
    const int n = 100;
    std::complex<double> z[n], expected[n], w(0.5, 2);
    std::complex<float> small[n], small_expected[n];
    for (int i = 0; i < n; i++) {
        z[i] = expected[i] = {i * 0.25, -1.0};
        small[i] = small_expected[i] = std::complex<float>(1, i);
    }

    // Arithmetic; the scalar is firstprivate.
#pragma acc parallel loop copy(z, small)
    for (int i = 0; i < n; i++) {
        z[i] = z[i] * w + std::complex<double>(1, i);
        z[i] = z[i] / std::abs(w);
        z[i] += 2.0;
        z[i] *= z[i] - 1.0;
        z[i] /= w;
        z[i] -= w / 2.0 - 3.0 / w;
        small[i] = small[i] * 2.0f / std::complex<float>(3, i);
    }
    for (int i = 0; i < n; i++) {
        expected[i] = expected[i] * w + std::complex<double>(1, i);
        expected[i] = expected[i] / std::abs(w);
        expected[i] += 2.0;
        expected[i] *= expected[i] - 1.0;
        expected[i] /= w;
        expected[i] -= w / 2.0 - 3.0 / w;
        small_expected[i] = small_expected[i] * 2.0f / std::complex<float>(3, i);
        check_near("arithmetic", i, distance(z[i], expected[i]), 0, 1e-14);
        check_near("float", i, std::abs(small[i] - small_expected[i]), 0, 1e-6);
    }

    // Functions, and what gives no complex number.
    std::vector<std::complex<double>> v(n);
    std::complex<double> *p = v.data();
    double reals[n][6];
    int counts[n];
#pragma acc parallel loop copyin(z) copyout(p[0:n], reals, counts)
    for (int i = 0; i < n; i++) {
        std::complex<double> t = z[i] / 100.0, unset, u(3);
        u.real(std::arg(t));
        u.imag(u.real() + 1);
        p[i] = std::conj(t) + std::polar(2.0, 0.5) + std::exp(t) + std::sqrt(t) + std::log(t) + std::sin(t) + std::cos(t)
            + std::sinh(t) + std::cosh(t) + std::tan(t) + std::tanh(t) + std::pow(t, 2.5) + std::pow(t, t) + u + 2.0i * unit;
        if (t == unset || unset != 0.0)
            p[i] = 0;
        reals[i][0] = t.real();
        reals[i][1] = std::imag(t);
        reals[i][2] = std::norm(t);
        reals[i][3] = std::arg(t);
        reals[i][4] = std::abs(t);
        reals[i][5] = (&z[i])->imag();
        counts[i] = iterations(t);
    }
    for (int i = 0; i < n; i++) {
        std::complex<double> t = z[i] / 100.0, u(std::arg(t), std::arg(t) + 1);
        std::complex<double> q = std::conj(t) + std::polar(2.0, 0.5) + std::exp(t) + std::sqrt(t) + std::log(t) + std::sin(t)
            + std::cos(t) + std::sinh(t) + std::cosh(t) + std::tan(t) + std::tanh(t) + std::pow(t, 2.5) + std::pow(t, t) + u
            + 2.0i * unit;
        check_near("functions", i, distance(p[i], q), 0, 1e-13);
        double values[6] = {t.real(), t.imag(), std::norm(t), std::arg(t), std::abs(t), z[i].imag()};
        for (int k = 0; k < 6; k++)
            check_near("real", 6 * i + k, reals[i][k], values[k], 1e-14);
        check_int("iterations", i, counts[i], iterations(t));
    }

    // Members, parameters, results, templates; roots of negative and imaginary numbers.
    Wave wave = {{1, 2}, 3, {{4, 5}, {6, 7}}}, waves[n];
    std::complex<double> coefficients[4] = {1.0, {2, 1}, -1.0, {0, 0.5}}, results[n], roots[4];
#pragma acc parallel loop copyin(coefficients) copyout(results, waves) firstprivate(wave)
    for (int i = 0; i < n; i++) {
        wave.amplitude = {1.0 * i, 1};
        wave.damp(4);
        waves[i] = wave;
        results[i] = horner(coefficients, 4, wave.at(i) / 1000.0) + mixed(wave.amplitude, 2.0);
    }
#pragma acc parallel loop copyout(roots)
    for (int i = 0; i < 4; i++) {
        std::complex<double> points[4] = {-4.0, {0, -2}, 0.0, {-3, -4}};
        roots[i] = std::sqrt(points[i]);
    }
    for (int i = 0; i < n; i++) {
        wave.amplitude = {1.0 * i, 1};
        wave.damp(4);
        check_true("member", waves[i].amplitude == wave.amplitude && waves[i].phases[1] == wave.phases[1]);
        std::complex<double> r = horner(coefficients, 4, wave.at(i) / 1000.0) + mixed(wave.amplitude, 2.0);
        check_near("results", i, distance(results[i], r), 0, 1e-14);
    }
    const std::complex<double> roots_expected[4] = {{0, 2}, {1, -1}, 0.0, {1, -2}};
    for (int i = 0; i < 4; i++)
        check_near("root", i, distance(roots[i], roots_expected[i]), 0, 1e-15);
    return finish();
}

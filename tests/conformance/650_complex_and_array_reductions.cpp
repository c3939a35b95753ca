// Sums of std::complex in nests, and elements of std::array that are reduced, of complex numbers, too.
// expect: launches>=5
#include "check.h"
#include <array>
#include <complex>

typedef std::complex<double> Complex;

static const int N = 60;

static void check_complex(const char *what, Complex got, Complex want)
{
    check_near(what, 0, got.real(), want.real(), 1e-9);
    check_near(what, 1, got.imag(), want.imag(), 1e-9);
}

template <typename T> static std::complex<T> dot(const std::complex<T> *x, const std::complex<T> *y, int n)
{
    std::complex<T> sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(x[0 : n], y[0 : n])
    for (int i = 0; i < n; i++)
        sum += std::conj(x[i]) * y[i];
    return sum;
}

static void add(const Complex *x, int n, Complex &sum)
{
#pragma acc parallel loop gang reduction(+ : sum) copyin(x[0 : n])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < 10; j++)
            sum += x[i] * double(j);
    }
}

int main()
{
    Complex a[N], b[N], want = 0, product = 0;
    for (int i = 0; i < N; i++) {
        a[i] = Complex(1 + i * 0.25, -(i % 7) * 0.5);
        b[i] = Complex(i % 5, 2);
        want += a[i];
        product += std::conj(a[i]) * b[i];
    }
    check_complex("dot", dot(a, b, N), product);

    Complex sum(1, 2);
    add(a, N, sum);
    check_complex("add", sum, Complex(1, 2) + want * 45.0);

    std::array<int, 3> counts{7, 8, 9};
#pragma acc parallel loop reduction(+ : counts[0]) reduction(max : counts[2])
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0)
            counts[0]++;
        counts[2] = counts[2] < i * 7 % 50 ? i * 7 % 50 : counts[2];
    }
    check_int("counts", 0, counts[0], 7 + N / 3);
    check_int("counts", 1, counts[1], 8);
    check_int("counts", 2, counts[2], 49);

    std::array<Complex, 2> both{};
#pragma acc parallel loop gang vector reduction(+ : both[1])
    for (int i = 0; i < N; i++)
        both[1] += a[i];
    check_complex("both", both[0] + both[1], want);

    Complex rows[N];
#pragma acc parallel loop copyout(rows)
    for (int i = 0; i < N; i++) {
        Complex row = 0;
#pragma acc loop reduction(+ : row)
        for (int j = 0; j <= i; j++)
            row += a[j];
        rows[i] = row;
    }
    for (int i = 0, j = 0; i < N; i++) {
        Complex row = 0;
        for (j = 0; j <= i; j++)
            row += a[j];
        check_complex("rows", rows[i], row);
    }
    return finish();
}

// Aliases that are templates, in parameters by reference and by pointer, where Clang leaves their names as they are written: of the
// library's arrays, of the program's own templates, in namespaces and in classes, and of other aliases.
// expect: launches=6
#include "check.h"
#include <array>

#define N 64

template <class T>
struct Holder {
    T value;
};

template <class T>
using Twice = Holder<Holder<T>>;

template <std::size_t Rows, std::size_t Columns>
using Matrix = std::array<std::array<double, Columns>, Rows>;

namespace lib
{
template <class T, int n>
struct Vector {
    T v[n];
    T &operator[](int i) { return v[i]; }
    const T &operator[](int i) const { return v[i]; }
};
template <int n>
using Numbers = Vector<int, n>;
template <int n>
using Same = Numbers<n>;
}

struct Types {
    template <class T>
    using Pointer = const T *;
};

template <class T>
static T inner(const Twice<T> &h)
{
    return h.value.value;
}

template <std::size_t Rows, std::size_t Common, std::size_t Columns>
static Matrix<Rows, Columns> product(const Matrix<Rows, Common> &a, const Matrix<Common, Columns> &b)
{
    Matrix<Rows, Columns> c{};
    for (std::size_t i = 0; i < Rows; i++)
        for (std::size_t j = 0; j < Columns; j++)
            for (std::size_t k = 0; k < Common; k++)
                c[i][j] += a[i][k] * b[k][j];
    return c;
}

static int sum(const lib::Numbers<4> &numbers) { return numbers[0] + numbers[1] + numbers[2] + numbers[3]; }
static void set(lib::Same<4> &same, int x)
{
    for (int i = 0; i < 4; i++)
        same[i] = x + i;
}
static double corner(const Matrix<2, 2> *m) { return (*m)[1][1]; }
static int at(Types::Pointer<int> p, int i) { return p[i]; }

int main()
{
    Matrix<2, 3> a[N];
    Matrix<3, 2> b[N];
    Matrix<2, 2> c[N];
    double corners[N];
    int sums[N], copies[N], held[N];
    for (int k = 0; k < N; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++) {
                a[k][i][j] = k + i * j;
                b[k][j][i] = k - i + j;
            }
#pragma acc data copyin(a, b) copyout(c, corners, sums, copies, held)
    {
#pragma acc parallel loop
        for (int k = 0; k < N; k++)
            c[k] = product(a[k], b[k]);
#pragma acc parallel loop
        for (int k = 0; k < N; k++)
            corners[k] = corner(&c[k]);
#pragma acc parallel loop
        for (int k = 0; k < N; k++) {
            lib::Numbers<4> numbers;
            set(numbers, k);
            sums[k] = sum(numbers);
        }
#pragma acc parallel loop
        for (int k = 0; k < N; k++)
            copies[k] = at(sums, k);
#pragma acc parallel loop
        for (int k = 0; k < N; k++) {
            Twice<int> twice;
            twice.value.value = 7 * k;
            held[k] = inner<int>(twice);
        }
#pragma acc serial
        {
            const Twice<int> &seen = Twice<int>{{1000}};
            held[0] = inner<int>(seen);
        }
    }
    for (int k = 0; k < N; k++) {
        Matrix<2, 2> want = product(a[k], b[k]);
        for (int i = 0; i < 4; i++)
            check_near("product", 4 * k + i, c[k][i / 2][i % 2], want[i / 2][i % 2], 1e-12);
        check_near("corner", k, corners[k], want[1][1], 1e-12);
        check_int("sum", k, sums[k], 4 * k + 6);
        check_int("copy", k, copies[k], 4 * k + 6);
        check_int("held", k, held[k], k ? 7 * k : 1000);
    }
    return finish();
}

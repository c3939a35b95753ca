// Scans in templates, of references and of a class's numbers, and a mapper of another namespace: OpenMP 5.2 §5.6, §5.8.8.
// expect: launches=13
// gcc: rejects, a mapper
#include "../check.h"
#include <complex>

namespace boxes {
struct Box {
    int n;
    int *values;
};
#pragma omp declare mapper(whole : boxes::Box b) map(b, b.values[0 : b.n])
} // namespace boxes

template <class T> static T running(const T *from, T *to, int n, T &sum)
{
#pragma omp target teams distribute parallel for reduction(inscan, + : sum) map(to : from[0 : n])                       \
    map(from : to[0 : n])
    for (int i = 0; i < n; ++i) {
        sum += from[i];
#pragma omp scan inclusive(sum)
        to[i] = sum;
    }
    return sum;
}

template <class T> static void check_sums(const char *what)
{
    T from[300], to[300], sum = 2;
    for (int i = 0; i < 300; i++)
        from[i] = T(i);
    running(from, to, 300, sum);
    for (int i = 0; i < 300; i++)
        check_int(what, i, (int)std::abs(to[i]), 2 + i * (i + 1) / 2);
    check_int(what, 300, (int)std::abs(sum), 2 + 299 * 150);
}

int main()
{
    check_sums<int>("int");
    check_sums<long long>("long long");
    check_sums<double>("double");
    check_sums<std::complex<float>>("complex");
    int values[5] = {1, 2, 3, 4, 5};
    boxes::Box box = {5, values};
#pragma omp target map(mapper(boxes::whole), tofrom : box)
    for (int i = 0; i < box.n; i++)
        box.values[i] *= 2;
    for (int i = 0; i < 5; i++)
        check_int("mapped", i, values[i], 2 * i + 2);
    return finish();
}

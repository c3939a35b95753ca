#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

template <class T> static T squares(const T *x, int n)
{
    T sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(x[0:n])
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

extern "C" double norm(const double *x, int n)
{
    std::map<std::string, std::vector<double>> copies{{"x", std::vector<double>(x, x + n)}};
    auto both = std::apply([](double a, double b) { return a + b; }, std::make_tuple(1.0, 2.0));
    return std::sqrt(squares(copies["x"].data(), n)) + both;
}

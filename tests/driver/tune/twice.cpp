#include <cstdio>
#include <vector>

template <typename T> T scaled_sum(T *x, int n, T a)
{
    T sum = 0;
#pragma acc parallel loop copy(x[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        x[i] = a * x[i] + T(i % 3);
        sum += x[i];
    }
    return sum;
}

int main()
{
    std::vector<float> f(5000, 1.0f);
    std::vector<double> d(5000, 2.0);
    std::printf("%g %g\n", scaled_sum(f.data(), 5000, 0.5f), scaled_sum(d.data(), 5000, 0.25));
}

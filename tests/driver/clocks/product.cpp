// A product of matrices that says how long it took by the clock of the C++ library.
#include <chrono>

extern "C" void fill(int n, double *m)
{
#pragma acc parallel loop present(m[0:n*n])
    for (int i = 0; i < n * n; i++)
        m[i] = i % 7 - 3;
}

extern "C" double product(int n, const double *a, const double *b, double *c)
{
    auto start = std::chrono::steady_clock::now();
#pragma acc parallel loop collapse(2) present(a[0:n*n], b[0:n*n], c[0:n*n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Private copies of objects begin as their class's default constructor makes them.
// expect: launches=7
#include "../check.h"
#include <complex>

#define N 60

struct Written {
    double b[4];
    Written()
    {
        for (auto &x : b)
            x = 1;
    }
    double sum() const { return b[0] + b[3]; }
};

struct Members {
    double b = 3;
    int n = 2;
};

struct Around {
    Members inner;
    double own;
};

template <typename T> struct Of {
    T value;
    explicit Of(T v = T(7)) : value(v) {}
};

template <typename T> T of_template()
{
    Of<T> w(T(100)), made;
    T s = made.value - 7;
#pragma omp target teams distribute parallel for private(w, made) reduction(+ : s)
    for (int i = 0; i < N; i++) {
        made.value = w.value + i;
        s += made.value;
    }
    return s;
}

int main()
{
    Written written;
    Members members, several[2] = {{5, 5}, {5, 5}};
    Around around;
    std::complex<double> z(4, 4);
    double sum = 0, all = 0, joined = 0, threads = 0, teams = 0;
    written.b[3] = 50;
    members.b = around.inner.b = 50;
#pragma omp target teams distribute parallel for private(written) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        written.b[0] = 1 + i;
        sum += written.sum();
    }
    check_near("constructor", 0, sum, 2 * N + N * (N - 1) / 2, 1e-12);
#pragma omp target teams distribute parallel for private(members, around, several, z) reduction(+ : all)
    for (int i = 0; i < N; i++) {
        all += 1 + members.b + members.n + around.inner.b + several[1].b + several[0].n + z.real();
    }
    check_near("members", 0, all, N * (5 + 3 + 5 + 1), 1e-12);
#pragma omp target teams distribute parallel for collapse(2) private(written) reduction(+ : joined)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            written.b[1] = i * j;
            joined += written.sum() + written.b[1];
        }
    check_near("joined", 0, joined, 200 + 45 * 45, 1e-12);
#pragma omp target map(tofrom : threads)
#pragma omp parallel num_threads(4) private(written) reduction(+ : threads)
    {
        written.b[0] += 1;
#pragma omp for
        for (int i = 0; i < N; i++)
            threads += written.sum();
    }
    check_near("threads", 0, threads, 3 * N, 1e-12);
#pragma omp target map(tofrom : teams)
#pragma omp teams distribute private(members) reduction(+ : teams)
    for (int i = 0; i < N; i++) {
        members.n = i;
        teams += members.b + members.n;
    }
    check_near("teams", 0, teams, 3 * N + N * (N - 1) / 2, 1e-12);
    check_near("template", 0, of_template<double>(), 7 * N + N * (N - 1) / 2, 1e-12);
    check_near("template", 1, of_template<int>(), 7 * N + N * (N - 1) / 2, 1e-12);
    check_near("outside", 0, written.b[3] + members.b + z.real(), 104, 1e-12);
    return finish();
}

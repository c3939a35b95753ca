// GNU's vectors, views of the standard library, optional values and inherited constructors under OpenACC's directives.
// expect: launches=4
// flags: -std=c++20
#include "check.h"
#include <optional>
#include <span>
#include <vector>

#define N 500

typedef float float4 __attribute__((vector_size(16)));

struct Base {
    double by;
    Base(double by) : by(by) {}
};

struct Line : Base {
    using Base::Base;
    double shift = 1;
    std::optional<double> at(int i) const
    {
        if (i % 5 == 4)
            return std::nullopt;
        return by * i + shift;
    }
    void fill(double *out) const
    {
        const Line self = *this;
#pragma acc parallel loop copyout(out [0:N])
        for (int i = 0; i < N; i++)
            out[i] = self.at(i).value_or(-1);
    }
};

static double mean(std::span<const double> values)
{
    double total = 0;
    for (double v : values)
        total += v;
    return total / values.size();
}

int main()
{
    double out[N], means[N / 10];
    Line(0.5).fill(out);
    for (int i = 0; i < N; i++)
        check_near("line", i, out[i], i % 5 == 4 ? -1 : 0.5 * i + 1, 1e-12);

    double *p = out;
#pragma acc parallel loop copyin(p [0:N]) copyout(means)
    for (int r = 0; r < N / 10; r++) {
        std::span<const double> all(p, N);
        means[r] = mean(all.subspan(10 * r, 10)) + Line(r).by;
    }
    for (int r = 0; r < N / 10; r++)
        check_near("means", r, means[r], mean({p + 10 * r, 10}) + r, 1e-9);

    float4 colours[N];
    for (int i = 0; i < N; i++)
        colours[i] = float4{1.f * i, 1, 2, 3};
#pragma acc parallel loop copy(colours)
    for (int i = 0; i < N; i++) {
        float4 c = colours[i] * 2.0f + (float)i;
        c[3] = c[0] - c[1];
        colours[i] = c;
    }
    for (int i = 0; i < N; i++) {
        check_near("colours", i, colours[i][2], 4 + i, 1e-5);
        check_near("differences", i, colours[i][3], 2 * i - 2, 1e-3);
    }

    std::vector<double> x(N, 1.5);
    std::span<double> view(x);
    double *px = x.data();
    double sum = 0;
#pragma acc parallel loop copy(px [0:N]) reduction(+ : sum)
    for (int i = 0; i < (int)view.size(); i++)
        sum += view[i];
    check_near("sum", 0, sum, 1.5 * N, 1e-9);
    return finish();
}

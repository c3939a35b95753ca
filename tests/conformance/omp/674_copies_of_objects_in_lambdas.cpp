// Lambdas that have copies of objects, `[*this]` among them: constructs use the objects themselves, where they stay the same. What methods
// and references change afterwards is not what the lambda has.
// expect: launches=3
// flags: -std=c++17
#include "../check.h"

#define N 40

struct Scale {
    double by;
    double shift[3];
    double *out;
    double at(int i) const { return by * i + shift[i % 3]; }
    void grow() { by += 1; }

    void run() const
    {
        auto f = [*this](int i) { return by * i + shift[1]; };
        double *p = out;
#pragma omp target teams distribute parallel for map(from : p[0 : N])
        for (int i = 0; i < N; i++)
            p[i] = f(i);
    }
    void again()
    {
        double *p = out;
        auto f = [=, *this](int i) { return p[i] + at(i); };
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N])
        for (int i = 0; i < N; i++)
            p[i] = f(i);
    }
    void before_growing()
    {
        double *p = out;
        auto f = [=, *this](int i) { return p[i] + at(i); };
        grow();
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N])
        for (int i = 0; i < N; i++)
            p[i] = f(i);
    }
    void before_a_change()
    {
        double *p = out;
        auto f = [=, *this](int i) { return p[i] + at(i); };
        double &r = shift[0];
        r = 100;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N])
        for (int i = 0; i < N; i++)
            p[i] = f(i);
    }
};

int main()
{
    double p[N], q[N];
    Scale s{2, {1, 2, 3}, p};
    s.run();
    for (int i = 0; i < N; i++)
        check_near("run", i, p[i], 2 * i + 2, 1e-12);
    s.again();
    s.before_growing();
    s.before_a_change();
    for (int i = 0; i < N; i++)
        check_near("twice", i, p[i], 2 * i + 2 + 2 * (2 * i + i % 3 + 1) + 3 * i + i % 3 + 1, 1e-12);
    check_near("grown", 0, s.by, 3, 1e-12);
    check_near("shift", 0, s.shift[0], 100, 1e-12);

    Scale t{2, {1, 2, 3}, q};
    auto same = [t](int i) { return t.at(i); };
#pragma omp target teams distribute parallel for map(from : q)
    for (int i = 0; i < N; i++)
        q[i] = same(i);
    for (int i = 0; i < N; i++)
        check_near("same", i, q[i], 2 * i + i % 3 + 1, 1e-12);
    Scale u{2, {1, 2, 3}, q};
    auto old = [u](int i) { return u.at(i); };
    u.grow();
#pragma omp target teams distribute parallel for map(from : q)
    for (int i = 0; i < N; i++)
        q[i] = old(i);
    for (int i = 0; i < N; i++)
        check_near("old", i, q[i], 2 * i + i % 3 + 1, 1e-12);
    Scale v{2, {1, 2, 3}, q}, &name = v;
    auto older = [=](int i) { return name.at(i); };
    v.grow();
#pragma omp target teams distribute parallel for map(from : q)
    for (int i = 0; i < N; i++)
        q[i] = older(i);
    for (int i = 0; i < N; i++)
        check_near("older", i, q[i], 2 * i + i % 3 + 1, 1e-12);
    return finish();
}

// Truth values among what the standard library's classes keep to themselves, in clauses and in what constructs take by value.
// expect: launches=4
// flags: -std=c++17
#include "../check.h"
#include <bitset>
#include <optional>
#include <tuple>

struct Settings {
    int n;
    std::optional<double> tolerance;
    std::tuple<bool, int> mode;
};

static double solve(double *p, const Settings &s)
{
    double sum = 0;
    int n = s.n;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += p[i] * s.tolerance.value_or(2) + (std::get<0>(s.mode) ? std::get<1>(s.mode) : 0);
    return sum;
}

struct Row {
    std::optional<char> letter;
    std::optional<double> value;
    std::bitset<70> marks;
};

int main()
{
    double p[30], sum = 0;
    for (int i = 0; i < 30; i++)
        p[i] = i;
    check_near("without", 0, solve(p, {30, {}, {true, 1}}), 435 * 2 + 30, 1e-9);
    check_near("with", 0, solve(p, {30, 0.5, {false, 1}}), 435 * 0.5, 1e-9);

    std::optional<double> start = 3.;
#pragma omp target teams distribute parallel for map(to : p) reduction(+ : sum) firstprivate(start)
    for (int i = 0; i < 30; i++) {
        std::optional<double> own = start;
        if (i > 10)
            own = p[i];
        sum += *own;
    }
    check_near("sum", 0, sum, 33 + 380, 1e-9);

    Row rows[20];
    for (int i = 0; i < 20; i++) {
        if (i % 2)
            rows[i].letter = 'a' + i;
        rows[i].marks = i;
    }
#pragma omp target teams distribute parallel for map(tofrom : rows)
    for (int i = 0; i < 20; i++) {
        if (rows[i].letter)
            rows[i].value = *rows[i].letter * 0.5;
        rows[i].letter.reset();
        rows[i].marks <<= 65;
        rows[i].marks.set(1);
    }
    for (int i = 0; i < 20; i++) {
        check_true("no letter", !rows[i].letter.has_value());
        check_near("value", i, rows[i].value.value_or(-1), i % 2 ? ('a' + i) * 0.5 : -1, 1e-12);
        check_int("marks", i, rows[i].marks.count(), 1 + std::bitset<5>(i).count());
    }
    return finish();
}

// Classes with members that are references: guards that change what they refer to, functors that refer to objects of the construct.
// expect: launches=2
#include <algorithm>
#include "../check.h"

#define N 40

struct Guard
{
    int &count;
    explicit Guard(int &c) : count(c) { count++; }
    ~Guard() { count += 10; }
};

struct Table
{
    double values[4];
    double &operator[](int i) { return values[i]; }
};

struct Adder
{
    Table &table;
    const double &by;
    void operator()(int i) const { table[i] += by; }
};

struct Pair
{
    int key, weight;
    bool operator<(const Pair &other) const { return key < other.key; }
};

static double compute(int i)
{
    int n = 0;
    {
        Guard first(n);
        if (i % 3 == 0)
            n += 100;
        Guard second{first.count};
    }
    Table table = {{1, 2, 3, 4}};
    double by = i;
    Adder add{table, by};
    add(1);
    by = 0.5;
    add(2);
    Pair a{i % 5, 1}, b{i % 7, 2};
    return n + table[1] * table[2] + 1000 * std::max(a, b).weight + 10000 * std::min(a, b).weight;
}

int main()
{
    double r[N];
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < N; i++)
        r[i] = compute(i);
    for (int i = 0; i < N; i++) {
        int n = 22 + (i % 3 == 0 ? 100 : 0), a = i % 5, b = i % 7;
        check_near("r", i, r[i], n + (2.0 + i) * 3.5 + 1000 * (a < b ? 2 : 1) + 10000 * (b < a ? 2 : 1), 0);
    }

    int sum = 0;
    Guard outside(sum);
#pragma omp target map(tofrom: sum)
    {
        Guard inside(sum);
        inside.count += 5;
    }
    check_int("sum", 0, sum, 17);
    return finish();
}

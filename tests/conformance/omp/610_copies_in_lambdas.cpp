// Lambdas that copy objects with copy constructors, and elements of pairs that structured bindings name.
// expect: launches=2
#include <utility>
#include "../check.h"

#define N 30

struct Generation {
    int number;
    explicit Generation(int number) : number(number) {}
    Generation(const Generation &other) : number(other.number + 1) {}
};

struct Counted {
    int *count;
    explicit Counted(int *count) : count(count) {}
    Counted(const Counted &other) : count(other.count) {}
    ~Counted() { ++*count; }
};

int main()
{
    int r[N];
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < N; i++) {
        Generation first(i);
        auto add = [first](int x) { return first.number + x; };
        auto own = [second = first](int x) { return second.number * x; };
        first.number = 7;
        r[i] = add(2) + own(100);
    }
    for (int i = 0; i < N; i++)
        check_int("constructed", i, r[i], i + 3 + (i + 1) * 100);

#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < N; i++) {
        auto [a, b] = std::pair<int, int>(i, 2 * i);
        auto sum = [a = a, &b = b](int x) {
            b += x;
            return a + b;
        };
        r[i] = sum(1) + 1000 * sum(1) + 1000000 * b;
    }
    for (int i = 0; i < N; i++)
        check_int("bindings", i, r[i], 3 * i + 1 + 1000 * (3 * i + 2) + 1000000 * (2 * i + 2));

    // The host runs it.
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < N; i++) {
        int count = 0;
        {
            Counted one(&count);
            auto get = [one](int x) { return *one.count + x; };
            count += get(i);
        }
        r[i] = count;
    }
    for (int i = 0; i < N; i++)
        check_int("destroyed", i, r[i], i + 2);
    return finish();
}

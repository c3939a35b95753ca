// Names for elements of the library's containers, whose types are members of classes of the library: not those that a class of the
// program has under the same name.
// expect: launches=6
#include "../check.h"
#include <map>
#include <vector>

template <class T>
class Row {
public:
    typedef T value_type;
    T *elements;
    int length;

    Row(int n = 0) : elements(n ? new T[n]() : nullptr), length(n) {}
    T &operator[](int i) { return elements[i]; }
    value_type &at(int i) { return elements[i]; }
    int size() const { return length; }
};

template <class T>
struct Three {
    T parts[3];
    T &get(int i) { return parts[i]; }
};

int main() {
    typedef Row<double> Doubles;
    std::vector<Doubles> rows(2);
    rows[0] = Doubles(100);
    rows[1] = Doubles(50);
    auto &first = rows[0];
    auto &last = rows.back();
#pragma omp parallel for
    for (int i = 0; i < first.size(); i++)
        first[i] = 2 * i;
#pragma omp parallel for
    for (int i = 0; i < last.size(); i++)
        last.at(i) = 3 * i;

    std::map<int, std::vector<Doubles>> groups;
    groups[3].push_back(Doubles(30));
    auto &inner = groups[3][0];
#pragma omp parallel for
    for (int i = 0; i < inner.size(); i++)
        inner[i] = 5 * i;

    std::vector<Three<Doubles>> threes(1);
    threes[0].parts[1] = Doubles(20);
    auto &three = threes.front();
#pragma omp parallel for
    for (int i = 0; i < 20; i++)
        three.get(1)[i] = 7 * i;

    std::vector<float> numbers(40, 1.5f), factors(3, 2.5f);
    auto *all = &numbers[0];
    auto &factor = factors[1];
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
        all[i] += factor * i;

    std::vector<short> counts(8, 1);
    auto &count = counts[3];
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < 40; i++)
        count += i % 2;

    for (int i = 0; i < 20; i++) {
        check_near("first", i, rows[0][i], 2 * i, 0);
        check_near("last", i, rows[1][i], 3 * i, 0);
        check_near("inner", i, groups[3][0][i], 5 * i, 0);
        check_near("three", i, threes[0].parts[1][i], 7 * i, 0);
        check_near("numbers", i, numbers[i], 1.5 + 2.5 * i, 1e-6);
    }
    check_int("counts", 3, counts[3], 21);
    check_int("counts", 2, counts[2], 1);
    check_int("counts", 4, counts[4], 1);
    return finish();
}

// Constants whose values come from calls or are cast in templates: kernels read them, and nothing is copied back to them.
// expect: launches=2
#include "check.h"

template <class T> constexpr T third = T(2.9);
template <class T> const T root = T(std::sqrt(9.0));
constexpr double whole = (int)2.9;
constexpr int tripled(int x) { return 3 * x; }
constexpr int nine = tripled(3);
static const int table[3] = {1, tripled(2), 3};
struct Counter {
    int count;
    Counter &add(double x) { count += (int)x; return *this; }
    Counter &add_to(const int &x) { count += x; return *this; }
};

int main()
{
    const int n = 32;
    Counter p[n] = {}, q[n] = {};
#pragma acc kernels loop independent copy(p)
    for (int i = 0; i < n; i++)
        p[i].add(third<int>).add(nine).add(root<double>).add_to(nine).add_to(root<int>).add(whole).add_to(table[i % 3]);
#pragma acc parallel loop copy(q)
    for (int i = 0; i < n; i++) {
        const int &r = root<int>;
        q[i].add_to(r).add(root<float>).add_to(third<int>);
    }
    for (int i = 0; i < n; i++) {
        check_int("p", i, p[i].count, 2 + 9 + 3 + 9 + 3 + 2 + table[i % 3]);
        check_int("q", i, q[i].count, 3 + 3 + 2);
    }
    return finish();
}

// Expressions of C++ in clauses: NULL of the library, templates of functions with their arguments, members of templates of classes.
// expect: launches=4
#include "check.h"
#include <algorithm>
#include <cstddef>
#include <cstdlib>

template <class T> T half(T x) { return x / 2; }
template <int A, class B> B scaled(B x) { return A * x; }
namespace sizes {
template <int N> struct Of {
    static const int value = N;
    static constexpr int twice() { return 2 * N; }
};
template <class T> struct List {
    static T first() { return 4; }
};
}

int main()
{
    const int n = 1024;
    double *a = new double[n]();
    const char *none = getenv("A_NAME_THAT_NOBODY_SETS");
#pragma acc parallel loop copy(a [0:half<int>(2 * n)]) if (a != NULL) num_gangs(sizes::Of<2>::value)
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma acc data copy(a [0:scaled<2>(n / 2)]) if (none == NULL)
    {
#pragma acc parallel loop num_gangs(std::min<int>(4, n)) vector_length(sizes::Of<32>::twice()) if (NULL == none && a)
        for (int i = 0; i < n; i++)
            a[i] += 1;
#pragma acc update self(a [0:half<size_t>(n)]) if (a != NULL && none == nullptr)
        check_near("updated", 0, a[0], 2, 0);
#pragma acc kernels loop num_gangs(sizes::List<int>::first()) if (n > half<long>(3) && half(n) < n)
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
#pragma acc serial copy(a [0:1]) if (half<int>(2) == 1)
    a[0] += 1;
    check_near("first", 0, a[0], 4, 0);
    for (int i = 1; i < n; i++)
        check_near("all", i, a[i], 3, 0);
    delete[] a;
    return finish();
}
